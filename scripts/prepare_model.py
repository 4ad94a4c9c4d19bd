#!/usr/bin/env python3
"""Turns the shipped Moonshine base weights into ones that sherpa-onnx runs several times faster.

Reads encoder_model.ort, decoder_model_merged.ort and tokenizer.bin, writes encoder_model.onnx,
decoder_model_merged.onnx and tokens.txt. The graphs are built anew from the shipped 8-bit
weights, which stay exactly as they are; docs/models.md says why and what it brings.
"""

import argparse
import base64
import os
import tempfile

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper

HEADS, WIDTH, HEAD, LAYERS, VOCABULARY = 8, 416, 52, 8, 32768
ROTATED = 32  # of each head's 52 numbers
INNER = 1664  # width inside a decoder's gated layer
BLOCK = 32  # weights to a scale in MatMulNBits
END_OF_TEXT = 2
EPSILON = 1e-5
CONTRIB = "com.microsoft"


class Shipped:
    """The weights of a shipped model, found through the names of what is computed with them."""

    def __init__(self, path, work):
        # onnxruntime alone reads its own format; without optimisation it writes what it read.
        raw = os.path.join(work, "raw.onnx")
        options = ort.SessionOptions()
        options.log_severity_level = 3
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.optimized_model_filepath = raw
        options.add_session_config_entry("session.save_model_format", "ONNX")
        ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self._tensors, self._makers = {}, {}
        self._read(onnx.load(raw).graph)

    def _read(self, graph):
        self._tensors.update({tensor.name: tensor for tensor in graph.initializer})
        for node in graph.node:
            self._makers.update({name: node for name in node.output})
            for attribute in node.attribute:
                if attribute.type == onnx.AttributeProto.GRAPH:
                    self._read(attribute.g)

    def _array(self, name):
        return numpy_helper.to_array(self._tensors[name])

    def packed(self, name):
        """The parts of a constant stored as (8-bit numbers + zero) x scale."""
        add = self._makers[name]
        if add.op_type == "Transpose":
            numbers, scale, zero = self.packed(add.input[0])
            return numbers.T, scale, zero
        multiply = self._makers[add.input[0]]
        cast = self._makers[multiply.input[0]]
        scale, offset = (float(self._array(node.input[1]).item()) for node in (multiply, add))
        numbers, zero = self._array(cast.input[0]), round(offset / scale)
        if [add.op_type, multiply.op_type, cast.op_type] != ["Add", "Mul", "Cast"] or abs(offset / scale - zero) > 0.01:
            raise SystemExit(f"prepare: {name} is not stored as expected: other weights than this recipe was made for?")
        return numbers, scale, zero

    def constant(self, name):
        if name in self._tensors:
            return self._array(name)
        numbers, scale, zero = self.packed(name)
        return (numbers.astype(np.float32) + zero) * np.float32(scale)

    def operand(self, output, number=1):
        """The name of the constant that goes into what makes `output`."""
        return self._makers[output].input[number]

    def matrix(self, place):
        return self.packed(self.operand(place + "/MatMul_output_0"))

    def vector(self, output):
        """The one constant vector that goes into what makes `output`."""
        names = [name for name in self._makers[output].input if name in self._tensors or self._is_packed(name)]
        return self.constant(names[0])

    def _is_packed(self, name):
        maker = self._makers.get(name)
        return maker is not None and maker.op_type == "Add" and maker.input[0].endswith("mul_tensor")

    def bias(self, place):
        return self.vector(place + "/Add_output_0")

    def norm(self, place):
        return self.vector(place + "/Mul_output_0")

    def frequencies(self, place):
        return self.constant(place + "/rotary_emb/Cast_1_output_0").reshape(1, ROTATED // 2)


class Builder:
    """Collects nodes; constants are kept once, in the outermost graph."""

    def __init__(self, outer=None):
        self.nodes = []
        self.outer = outer or self
        if outer is None:
            self.constants, self._names, self._count = [], {}, 0

    def _number(self):
        self.outer._count += 1
        return self.outer._count

    def const(self, value, kind=None):
        array = np.ascontiguousarray(np.asarray(value, dtype=kind))
        key = array.dtype.str, np.shape(value), array.tobytes()
        if key not in self.outer._names:
            name = self.outer._names[key] = f"constant_{self._number()}"
            self.outer.constants.append(numpy_helper.from_array(array.reshape(np.shape(value)), name))
        return self.outer._names[key]

    def op(self, kind, *inputs, outputs=1, domain="", **attributes):
        """Adds a node; `outputs` are their names, or how many there are."""
        number = self._number()
        if isinstance(outputs, int):
            outputs = [f"{kind}_{number}_{at}" for at in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, outputs, f"{kind}_{number}", domain=domain, **attributes))
        return outputs[0] if len(outputs) == 1 else outputs

    def contrib(self, kind, *inputs, **more):
        return self.op(kind, *inputs, domain=CONTRIB, **more)

    def linear(self, x, matrices, bias=None, outputs=1):
        """x times the matrices side by side, computed in 8 bits."""
        rows = matrices[0][0].shape[0]
        blocks = rows // BLOCK
        weights = [(numbers.T.astype(np.int16) + 128).astype(np.uint8) for numbers, _, _ in matrices]
        columns = [len(weight) for weight in weights]
        scales = np.repeat(np.float32([scale for _, scale, _ in matrices]), np.multiply(columns, blocks))
        zeros = np.repeat(np.uint8([128 - zero for _, _, zero in matrices]), np.multiply(columns, blocks))
        inputs = [x, self.const(np.concatenate(weights).reshape(-1, blocks, BLOCK)), self.const(scales), self.const(zeros)]
        if bias is not None:
            inputs += ["", self.const(bias, np.float32)]
        sizes = dict(K=rows, N=sum(columns), bits=8, block_size=BLOCK, accuracy_level=4)
        return self.contrib("MatMulNBits", *inputs, outputs=outputs, **sizes)

    def fast_linear(self, x, matrices, bias=None):
        """The same with one scale for all of x: faster where x has many rows."""
        columns = [numbers.shape[1] for numbers, _, _ in matrices]
        scales = np.repeat(np.float32([scale for _, scale, _ in matrices]), columns)
        zeros = np.repeat(np.int8([-zero for _, _, zero in matrices]), columns)
        weights = np.concatenate([numbers for numbers, _, _ in matrices], axis=1)
        inputs = [x, self.const(weights), self.const(scales), self.const(zeros)]
        if bias is not None:
            inputs.append(self.const(bias, np.float32))
        return self.contrib("DynamicQuantizeMatMul", *inputs)

    def norm(self, x, weight):
        return self.op("LayerNormalization", x, self.const(weight), axis=-1, epsilon=EPSILON)

    def add_norm(self, x, y, weight, outputs=("normed", "sum")):
        """The norm of x + y, and x + y."""
        names = [f"{name}_{self._number()}" if name in ("normed", "sum") else name for name in outputs]
        self.contrib("SkipLayerNormalization", x, y, self.const(weight), outputs=[names[0], "", "", names[1]], epsilon=EPSILON)
        return names

    def split(self, x, sizes):
        return self.op("Split", x, self.const(sizes, np.int64), outputs=len(sizes), axis=-1)

    def rotate(self, x, angles):
        return self.contrib(
            "RotaryEmbedding", x, self.const([0], np.int64), *angles, interleaved=1, num_heads=HEADS, rotary_embedding_dim=ROTATED
        )

    def angles(self, position, frequencies):
        """Cosine and sine for each position in a column of them."""
        angle = self.op("Mul", self.op("Cast", position, to=TensorProto.FLOAT), self.const(frequencies))
        return self.op("Cos", angle), self.op("Sin", angle)

    def attention(self, *inputs, outputs=1):
        return self.contrib("MultiHeadAttention", *inputs, outputs=outputs, num_heads=HEADS)

    def heads(self, x, output):
        """[1, n, 416] as [1, 8, n, 52]."""
        self.op("Transpose", self.op("Reshape", x, self.const([0, 0, HEADS, HEAD], np.int64)), outputs=[output], perm=[0, 2, 1, 3])


def value(name, shape, kind=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def model(name, nodes, inputs, outputs, constants):
    graph = helper.make_graph(nodes, name, inputs, outputs, constants)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(CONTRIB, 1)]
    made = helper.make_model(graph, opset_imports=opsets, ir_version=10)
    onnx.checker.check_model(made, full_check=False)
    return made


def encoder(shipped, exact):
    build = Builder()
    linear = build.linear if exact else build.fast_linear

    def convolution(x, place, stride, bias):
        constants = [shipped.constant(shipped.operand(place, number)) for number in ((1, 2) if bias else (1,))]
        return build.op("Conv", x, *map(build.const, constants), strides=[stride], kernel_shape=[constants[0].shape[2]])

    def gelu(x):
        return build.contrib("Gelu", x)

    x = build.op("Unsqueeze", "input_values", build.const([1], np.int64))
    x = build.op("Tanh", convolution(x, "/conv1/Conv_output_0", 64, False))
    x = build.op("Reshape", x, build.const([0, 1, -1], np.int64))  # normalised over all channels at once
    x = build.op("InstanceNormalization", x, build.const([1], np.float32), build.const([0], np.float32), epsilon=EPSILON)
    x = build.op("Reshape", x, build.const([0, WIDTH, -1], np.int64))
    for kind in ("Mul", "Add"):
        x = build.op(kind, x, build.const(shipped.vector(f"/groupnorm/{kind}_output_0").reshape(WIDTH, 1)))
    x = gelu(convolution(x, "/conv2/Conv_output_0", 3, True))
    x = gelu(convolution(x, "/conv3/Conv_output_0", 2, True))
    x = build.op("Transpose", x, perm=[0, 2, 1])

    count = build.op("Squeeze", build.op("Shape", x, start=1, end=2))
    positions = build.op("Range", build.const(0, np.int64), count, build.const(1, np.int64))
    angles = build.angles(build.op("Unsqueeze", positions, build.const([1], np.int64)), shipped.frequencies(""))
    y = build.norm(x, shipped.norm("/layers.0/input_layernorm"))
    for number in range(LAYERS):
        layer = f"/layers.{number}/"
        q, k, v = build.split(linear(y, [shipped.matrix(f"{layer}self_attn/{part}_proj") for part in "qkv"]), [WIDTH] * 3)
        y = build.attention(build.rotate(q, angles), build.rotate(k, angles), v)
        y = linear(y, [shipped.matrix(layer + "self_attn/dense")])
        y, x = build.add_norm(x, y, shipped.norm(layer + "post_attention_layernorm"))
        # This one loses most with one scale for everything.
        y = gelu(build.linear(y, [shipped.matrix(layer + "mlp/fc1")], shipped.bias(layer + "mlp/fc1")))
        y = linear(y, [shipped.matrix(layer + "mlp/fc2")], shipped.bias(layer + "mlp/fc2"))
        if number + 1 < LAYERS:
            y, x = build.add_norm(x, y, shipped.norm(f"/layers.{number + 1}/input_layernorm"))
        else:
            build.add_norm(x, y, shipped.vector("last_hidden_state"), ("last_hidden_state", ""))
    inputs = [value("input_values", ["batch_size", "num_samples"])]
    return model("encoder", build.nodes, inputs, [value("last_hidden_state", ["batch_size", "frames", WIDTH])], build.constants)


def decoder_branch(shipped, outer, cached, penalty):
    """One step: of the first token, or of a later one that finds the earlier ones' keys and values."""
    build, root = Builder(outer), "/model/decoder/"

    def matrix(place):
        return shipped.matrix(root + place)

    # The table of words serves the first layer and, the same bytes, the last.
    table, scale, zero = shipped.packed(shipped.operand(root + "embed_tokens/Gather_output_0", 0))
    words = build.const((table.astype(np.int16) + 128).astype(np.uint8).reshape(VOCABULARY, WIDTH // BLOCK, BLOCK))
    x = build.op("Gather", words, "input_ids", axis=0)
    x = build.op("DequantizeLinear", x, build.const(scale, np.float32), build.const(128 - zero, np.uint8))
    x = build.op("Reshape", x, build.const([0, 0, WIDTH], np.int64))
    if cached:
        angles = build.angles(build.op("Shape", "past_key_values.0.decoder.key", start=2, end=3), shipped.frequencies("/model/decoder"))

    y = build.norm(x, shipped.norm(root + "layers.0/input_layernorm"))
    for number in range(LAYERS):
        layer, past, present = f"layers.{number}/", f"past_key_values.{number}.", f"present.{number}."
        q, k, v = build.split(build.linear(y, [matrix(f"{layer}self_attn/{part}_proj") for part in "qkv"]), [WIDTH] * 3)
        kept = [present + "decoder.key", present + "decoder.value"]
        if cached:
            q, k = build.rotate(q, angles), build.rotate(k, angles)
            before = past + "decoder.key", past + "decoder.value"
            y = build.attention(q, k, v, "", "", "", *before, outputs=[f"attended_{number}"] + kept)[0]
            heard = past + "encoder.key", past + "encoder.value"
        else:  # position 0 is not rotated, and attention to one token is that token
            build.heads(k, kept[0])
            build.heads(v, kept[1])
            y = v
            heard = present + "encoder.key", present + "encoder.value"
            for part, name in zip("kv", heard):
                build.heads(build.linear("encoder_hidden_states", [matrix(f"{layer}encoder_attn/{part}_proj")]), name)
        y = build.linear(y, [matrix(layer + "self_attn/dense")])
        y, x = build.add_norm(x, y, shipped.norm(root + layer + "post_attention_layernorm"))
        y = build.attention(build.linear(y, [matrix(layer + "encoder_attn/q_proj")]), *heard)
        y = build.linear(y, [matrix(layer + "encoder_attn/dense")])
        y, x = build.add_norm(x, y, shipped.norm(root + layer + "final_layernorm"))
        y = build.linear(y, [matrix(layer + "mlp/up_proj")], shipped.bias(f"{root}{layer}mlp/up_proj"))
        up, gate = build.split(y, [INNER] * 2)
        y = build.op("Mul", build.contrib("QuickGelu", gate, alpha=1.0), up)
        y = build.linear(y, [matrix(layer + "mlp/down_proj")], shipped.bias(f"{root}{layer}mlp/down_proj"))
        following = f"layers.{number + 1}/input_layernorm" if number + 1 < LAYERS else "norm"
        y, x = build.add_norm(x, y, shipped.norm(root + following))
        if cached:  # nobody asks for these again
            for name in ("key", "value"):
                nothing = numpy_helper.from_array(np.zeros((1, HEADS, 0, HEAD), np.float32))
                build.op("Constant", outputs=[f"{present}encoder.{name}"], value=nothing)

    penalised = penalty > 0 and not cached
    logits = build.linear(y, [(table.T, scale, zero)], outputs=1 if penalised else ["logits"])
    if penalised:
        build.op("Sub", logits, build.const(np.where(np.arange(VOCABULARY) == END_OF_TEXT, penalty, 0), np.float32), outputs=["logits"])
    outputs = [value(name, None) for name in decoder_outputs()]
    return helper.make_graph(build.nodes, "later" if cached else "first", [], outputs)


def states(stem):
    return [f"{stem}.{number}.{side}.{part}" for number in range(LAYERS) for side in ("decoder", "encoder") for part in ("key", "value")]


def decoder_outputs():
    return ["logits"] + states("present")


def decoder(shipped, penalty):
    build = Builder()
    branches = {name: decoder_branch(shipped, build, name == "then_branch", penalty) for name in ("then_branch", "else_branch")}
    build.op("If", "use_cache_branch", outputs=decoder_outputs(), **branches)
    inputs = [
        value("input_ids", ["batch_size", "decoder_sequence_length"], TensorProto.INT64),
        value("encoder_hidden_states", ["batch_size", "encoder_sequence_length", WIDTH]),
        *(value(name, ["batch_size", HEADS, f"past_{name.split('.')[2]}_length", HEAD]) for name in states("past_key_values")),
        value("use_cache_branch", [1], TensorProto.BOOL),
    ]
    outputs = [value("logits", ["batch_size", "decoder_sequence_length", VOCABULARY])]
    outputs += [value(name, ["batch_size", HEADS, f"{name.split('.')[2]}_length", HEAD]) for name in states("present")]
    return model("decoder", build.nodes, inputs, outputs, build.constants)


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
    return "".join(lines).encode()


def write(folder, name, content):
    """Writes under another name first: what stands under the real name is whole."""
    path = os.path.join(folder, name)
    with open(path + ".part", "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".part", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", help="folder with the shipped weights")
    parser.add_argument("target", help="folder to write to")
    parser.add_argument(
        "--end-penalty", type=float, default=5, help="taken off the end of text's score at the first token; 0: as shipped (default 5)"
    )
    parser.add_argument("--exact-encoder", action="store_true", help="a slower encoder, closer to the shipped one")
    arguments = parser.parse_args()

    os.makedirs(arguments.target, exist_ok=True)
    write(arguments.target, "tokens.txt", tokens(os.path.join(arguments.source, "tokenizer.bin")))
    with tempfile.TemporaryDirectory(dir=arguments.target) as work:
        shipped = Shipped(os.path.join(arguments.source, "encoder_model.ort"), work)
        write(arguments.target, "encoder_model.onnx", encoder(shipped, arguments.exact_encoder).SerializeToString())
        shipped = Shipped(os.path.join(arguments.source, "decoder_model_merged.ort"), work)
        write(arguments.target, "decoder_model_merged.onnx", decoder(shipped, arguments.end_penalty).SerializeToString())


if __name__ == "__main__":
    main()
