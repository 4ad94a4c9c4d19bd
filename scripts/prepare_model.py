#!/usr/bin/env python3
"""Turns the shipped Moonshine weights into ones that sherpa-onnx runs several times faster.

Reads encoder_model.ort, decoder_model_merged.ort and tokenizer.bin, writes encoder_model.onnx,
decoder_model_merged.onnx and tokens.txt. docs/models.md says why and what it brings.
"""

import argparse
import base64
import os
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime as ort
from onnx import helper, numpy_helper

BLOCK = 32  # weights that share one scale


def graphs(graph):
    """The graph and every graph inside its If nodes."""
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                yield from graphs(attribute.g)


def run_session(source, target, level):
    """Loads a model and has onnxruntime save what it made of it."""
    options = ort.SessionOptions()
    options.log_severity_level = 3
    options.graph_optimization_level = level
    options.optimized_model_filepath = target
    options.add_session_config_entry("session.save_model_format", "ONNX")
    ort.InferenceSession(source, options, providers=["CPUExecutionProvider"])


def fold(source, work):
    """The shipped model with its chains of weight arithmetic folded into plain float weights."""
    raw, named, folded = (os.path.join(work, name) for name in ("raw.onnx", "named.onnx", "folded.onnx"))
    run_session(source, raw, ort.GraphOptimizationLevel.ORT_DISABLE_ALL)
    model = onnx.load(raw)
    for number, graph in enumerate(graphs(model.graph)):
        graph.name = graph.name or f"graph_{number}"  # without names it cannot be loaded again
    onnx.save(model, named)
    run_session(named, folded, ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED)
    return onnx.load(folded)


def quantise(weight):
    """8-bit blocks of a [K, N] matrix as MatMulNBits wants them: [N, K/32, 32] around 128, and their scales."""
    rows, columns = weight.shape
    blocks = weight.T.reshape(columns, rows // BLOCK, BLOCK).astype(np.float32)
    peak = np.take_along_axis(blocks, np.abs(blocks).argmax(axis=2)[..., None], axis=2)
    scale = peak / -128
    inverse = np.divide(1, scale, out=np.zeros_like(scale), where=scale != 0)
    packed = np.clip(np.rint(blocks * inverse) + 128, 0, 255).astype(np.uint8)
    return packed, scale[..., 0]


def to_eight_bits(model):
    """Replaces each product with a constant matrix by MatMulNBits, computed in 8 bits.

    The packed weights go to the main graph, once for both branches of the decoder.
    """
    main = model.graph
    done = {}

    def convert(graph, visible):
        visible = visible | {tensor.name: tensor for tensor in graph.initializer}
        for node in graph.node:
            tensor = visible.get(node.input[1]) if node.op_type == "MatMul" else None
            if tensor is not None and len(tensor.dims) == 2 and tensor.dims[0] % BLOCK == 0:
                key = tensor.raw_data
                if key not in done:
                    done[key] = f"weight_{len(done)}"
                    packed, scale = quantise(numpy_helper.to_array(tensor))
                    main.initializer.append(numpy_helper.from_array(packed, done[key]))
                    main.initializer.append(numpy_helper.from_array(scale.reshape(-1), done[key] + "_scale"))
                node.op_type, node.domain = "MatMulNBits", "com.microsoft"
                node.input[1:] = [done[key], done[key] + "_scale"]
                sizes = dict(K=tensor.dims[0], N=tensor.dims[1], bits=8, block_size=BLOCK, accuracy_level=4)
                node.attribute.extend(helper.make_attribute(*item) for item in sizes.items())
            for attribute in node.attribute:
                if attribute.type == onnx.AttributeProto.GRAPH:
                    convert(attribute.g, visible)

    convert(main, {})
    used = {name for graph in graphs(main) for node in graph.node for name in node.input}
    used |= {value.name for graph in graphs(main) for value in graph.output}
    for graph in graphs(main):
        kept = [tensor for tensor in graph.initializer if tensor.name in used]
        del graph.initializer[:]
        graph.initializer.extend(kept)


def tokens(path):
    """The lines of tokens.txt: base64 of each token's bytes, a space, its number."""
    with open(path, "rb") as file:
        data = file.read()
    lines, at = [], 0
    while at < len(data):
        length = data[at]
        at += 1
        if length >= 128:
            length += 128 * data[at] - 128
            at += 1
        lines.append(f"{base64.b64encode(data[at:at + length]).decode()} {len(lines)}\n")
        at += length
    return lines


def write(path, content):
    """Writes under another name first: what stands under the real name is whole."""
    with open(path + ".part", "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".part", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", help="folder with the shipped weights")
    parser.add_argument("target", help="folder to write to")
    parser.add_argument("--tokens-only", action="store_true", help="write tokens.txt alone")
    arguments = parser.parse_args()

    os.makedirs(arguments.target, exist_ok=True)
    lines = tokens(os.path.join(arguments.source, "tokenizer.bin"))
    write(os.path.join(arguments.target, "tokens.txt"), "".join(lines).encode())
    if arguments.tokens_only:
        return
    for name in ("encoder_model", "decoder_model_merged"):
        with tempfile.TemporaryDirectory(dir=arguments.target) as work:
            model = fold(os.path.join(arguments.source, name + ".ort"), work)
        to_eight_bits(model)
        write(os.path.join(arguments.target, name + ".onnx"), model.SerializeToString())


if __name__ == "__main__":
    sys.exit(main())
