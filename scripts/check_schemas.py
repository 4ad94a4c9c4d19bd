"""Checks reports and result lines against the schemas.

Usage: check_schemas.py SCHEMAS SAMPLES

SAMPLES holds NAME.report.json and NAME.results.jsonl. What is called `wrong-...` has to be refused, each line of it;
everything else has to be accepted, the report within a finish included.
"""

import json
import pathlib
import sys

import jsonschema
import referencing
from jsonschema import Draft202012Validator


def load_validators(folder):
    schemas = {kind: json.loads((folder / f"{kind}.schema.json").read_text()) for kind in ("report", "result")}
    registry = referencing.Registry()
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
        for place in describe_nothing(schema):
            sys.exit(f"check_schemas: {schema['title']}: {place} has no description")
        registry = registry.with_resource(schema["$id"], referencing.Resource.from_contents(schema))
    checker = Draft202012Validator.FORMAT_CHECKER
    return {
        kind: Draft202012Validator(schema, registry=registry, format_checker=checker) for kind, schema in schemas.items()
    }


def describe_nothing(schema, place="#"):
    """The places of properties without a description."""
    for name, value in schema.get("properties", {}).items():
        if not value.get("description"):
            yield f"{place}/{name}"
        yield from describe_nothing(value, f"{place}/{name}")
    for name, value in schema.get("$defs", {}).items():
        yield from describe_nothing(value, f"{place}/$defs/{name}")


def documents(file):
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".json":
        yield "report", json.loads(text)
    else:
        for line in text.split("\n")[:-1]:
            yield "result", json.loads(line)


def main():
    folder, samples = map(pathlib.Path, sys.argv[1:])
    validators = load_validators(folder)
    faults, counts, kinds = [], {True: 0, False: 0}, set()
    for file in sorted([*samples.glob("*.report.json"), *samples.glob("*.results.jsonl")]):
        is_right = not file.name.startswith("wrong-")
        for number, (kind, value) in enumerate(documents(file), start=1):
            error = jsonschema.exceptions.best_match(validators[kind].iter_errors(value))
            counts[is_right] += 1
            kinds.add(value.get("type", "report") if is_right else "wrong")
            if (error is None) != is_right:
                why = f"{error.json_path}: {error.message}" if error else "accepted"
                faults.append(f"{file.name}, {number}: {why}")
    for fault in faults:
        print(f"check_schemas: {fault}", file=sys.stderr)
    missing = {"report", "transcript", "event", "error", "recording", "finish", "wrong"} - kinds
    if missing:
        sys.exit(f"check_schemas: nothing was checked of: {', '.join(sorted(missing))}")
    print(f"schemas: {counts[True]} documents accepted, {counts[False]} broken ones refused")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
