#!/usr/bin/env python3
"""Write toy models for tests: tiny graphs that the engine loads and runs like real ones.

Each hears whether a frame is a low tone or a high one and says `low` or `high`; silence says nothing. The folders are
named for their kinds.

Usage: toy_models.py FOLDER
"""

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FEATURES = 80
CHUNK = 32  # frames of 10 ms that a chunk moves on
WINDOW = 45  # frames that a chunk hears
STRIDE = 4  # feature frames for each frame that comes out
TOKENS = ["<blk>", "\u2581low", "\u2581high"]
# The log energy of the loudest band from which on a frame is heard; digital silence has -15.9.
AUDIBLE = 2.0
NEMO_AUDIBLE = -6.0  # its bands are scaled down


def constant(name, value, kind=np.float32):
    return numpy_helper.from_array(np.array(value, dtype=kind), name)


def tensor(name, shape, kind=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def save(path, nodes, inputs, outputs, constants, metadata):
    graph = helper.make_graph(nodes, path.stem, inputs, outputs, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    for key, value in metadata.items():
        model.metadata_props.add(key=key, value=str(value))
    onnx.checker.check_model(model)
    onnx.save(model, path)


def scores(source, target, whole_frames, order=("silence", "low", "high")):
    """Nodes and constants that turn features [N, T, 80] into scores [N, T / 4, 3]."""
    nodes = [
        helper.make_node("Slice", [source, "begin", "end", "frame_axis"], ["heard"]),
        helper.make_node("ReduceMax", ["heard"], ["loudest"], axes=[2], keepdims=0),
        helper.make_node("MatMul", ["heard", "slope"], ["tilted"]),
        helper.make_node("Squeeze", ["tilted", "last_axis"], ["tilt"]),
        helper.make_node("Reshape", ["loudest", "groups"], ["grouped_loudest"]),
        helper.make_node("Reshape", ["tilt", "groups"], ["grouped_tilt"]),
        helper.make_node("ReduceMax", ["grouped_loudest"], ["level"], axes=[2], keepdims=1),
        helper.make_node("ReduceMean", ["grouped_tilt"], ["direction"], axes=[2], keepdims=1),
        # Silence is just above nothing, and between the two words when one of them is said.
        helper.make_node("Sub", ["audible", "level"], ["under"]),
        helper.make_node("Clip", ["under", "minus_one", "plus_one"], ["silence"]),
        helper.make_node("Mul", ["under", "minus_ten"], ["gate"]),
        helper.make_node("Clip", ["direction", "minus_ten", "plus_ten"], ["toward_high"]),
        helper.make_node("Neg", ["toward_high"], ["toward_low"]),
        helper.make_node("Min", ["toward_low", "gate"], ["low"]),
        helper.make_node("Min", ["toward_high", "gate"], ["high"]),
        helper.make_node("Concat", list(order), [target], axis=2),
    ]
    half = FEATURES // 2
    constants = [
        constant("begin", [0], np.int64),
        constant("end", [whole_frames], np.int64),
        constant("frame_axis", [1], np.int64),
        constant("last_axis", [2], np.int64),
        constant("groups", [0, -1, STRIDE], np.int64),
        # The mean of the upper bands less the mean of the lower ones, times ten.
        constant("slope", [[-10 / half]] * half + [[10 / half]] * half),
        constant("audible", [AUDIBLE if order[0] == "silence" else NEMO_AUDIBLE]),
        constant("minus_one", -1),
        constant("plus_one", 1),
        constant("minus_ten", -10),
        constant("plus_ten", 10),
    ]
    return nodes, constants


def write_tokens(folder, tokens=TOKENS):
    folder.mkdir(parents=True)
    lines = [f"{token} {number}" for number, token in enumerate(tokens)]
    (folder / "tokens.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def whole_scores(source, target, lengths, target_lengths, order=("silence", "low", "high")):
    """The same for features of any length, of which a multiple of four frames is heard."""
    nodes, constants = scores(source, target, 0, order)
    head = [
        helper.make_node("Shape", [source], ["shape"]),
        helper.make_node("Gather", ["shape", "one"], ["frames"], axis=0),
        helper.make_node("Div", ["frames", "stride"], ["whole"]),
        helper.make_node("Mul", ["whole", "stride"], ["end"]),
        helper.make_node("Div", [lengths, "stride"], [target_lengths]),
    ]
    constants = [c for c in constants if c.name != "end"]
    constants += [constant("one", [1], np.int64), constant("stride", [STRIDE], np.int64)]
    return head + nodes, constants


def zipformer_ctc(folder):
    write_tokens(folder)
    nodes, constants = whole_scores("x", "log_probs", "x_lens", "log_probs_len")
    save(
        folder / "model.onnx",
        nodes,
        [tensor("x", ["N", "T", FEATURES]), tensor("x_lens", ["N"], TensorProto.INT64)],
        [tensor("log_probs", ["N", "T4", len(TOKENS)]), tensor("log_probs_len", ["N"], TensorProto.INT64)],
        constants,
        {"model_type": "zipformer2_ctc", "version": 1, "model_author": "toy"},
    )


# NeMo has features before frames, and its blank behind the tokens.
NEMO_TOKENS = TOKENS[1:] + TOKENS[:1]
NEMO_ORDER = ("low", "high", "silence")


def nemo_ctc(folder):
    write_tokens(folder, NEMO_TOKENS)
    nodes, constants = whole_scores("x", "logprobs", "length", "unused", NEMO_ORDER)
    save(
        folder / "model.onnx",
        [helper.make_node("Transpose", ["audio_signal"], ["x"], perm=[0, 2, 1])] + nodes,
        [tensor("audio_signal", ["N", FEATURES, "T"]), tensor("length", ["N"], TensorProto.INT64)],
        [tensor("logprobs", ["N", "T4", len(TOKENS)])],
        constants,
        {
            "model_type": "EncDecCTCModelBPE",
            "vocab_size": len(TOKENS) - 1,
            "subsampling_factor": STRIDE,
            "normalize_type": "",
        },
    )


def transducer(folder):
    write_tokens(folder)
    nodes, constants = whole_scores("x", "encoder_out", "x_lens", "encoder_out_lens")
    save(
        folder / "encoder-epoch-1-avg-1.onnx",
        nodes,
        [tensor("x", ["N", "T", FEATURES]), tensor("x_lens", ["N"], TensorProto.INT64)],
        [tensor("encoder_out", ["N", "T4", len(TOKENS)]), tensor("encoder_out_lens", ["N"], TensorProto.INT64)],
        constants,
        {"model_type": "zipformer2", "version": 1},
    )
    predictor(folder)


def pass_on(states):
    """Inputs, outputs and nodes for states that never change."""
    nodes = [helper.make_node("Identity", [name], ["new_" + name]) for name, _, _ in states]
    inputs = [tensor(*state) for state in states]
    outputs = [tensor("new_" + name, shape, kind) for name, shape, kind in states]
    return nodes, inputs, outputs


def streaming_zipformer_ctc(folder):
    write_tokens(folder)
    number = TensorProto.FLOAT
    states = [
        ("key", [2, "N", 1], number),
        ("nonlinear", [1, "N", 2, 3], number),
        ("value1", [2, "N", 1], number),
        ("value2", [2, "N", 1], number),
        ("conv1", ["N", 4, 1], number),
        ("conv2", ["N", 4, 1], number),
        ("embed", ["N", 128, 3, 19], number),
        ("processed", ["N"], TensorProto.INT64),
    ]
    nodes, constants = scores("x", "log_probs", CHUNK)
    state_nodes, inputs, outputs = pass_on(states)
    save(
        folder / "ctc-epoch-1-avg-1-chunk-16-left-128.onnx",
        nodes + state_nodes,
        [tensor("x", ["N", WINDOW, FEATURES])] + inputs,
        [tensor("log_probs", ["N", CHUNK // STRIDE, len(TOKENS)])] + outputs,
        constants,
        {
            "model_type": "zipformer2",
            "decode_chunk_len": CHUNK,
            "T": WINDOW,
            "num_encoder_layers": "1",
            "encoder_dims": "4",
            "cnn_module_kernels": "3",
            "left_context_len": "2",
            "query_head_dims": "1",
            "value_head_dims": "1",
            "num_heads": "1",
        },
    )


def streaming_transducer(folder):
    write_tokens(folder)
    states = [("h", [1, "N", 2], TensorProto.FLOAT), ("c", [1, "N", 2], TensorProto.FLOAT)]
    nodes, constants = scores("x", "encoder_out", CHUNK)
    state_nodes, inputs, outputs = pass_on(states)
    save(
        folder / "encoder-epoch-1-avg-1.onnx",
        nodes + state_nodes,
        [tensor("x", ["N", WINDOW, FEATURES])] + inputs,
        [tensor("encoder_out", ["N", CHUNK // STRIDE, len(TOKENS)])] + outputs,
        constants,
        {
            "model_type": "lstm",
            "num_encoder_layers": 1,
            "T": WINDOW,
            "decode_chunk_len": CHUNK,
            "rnn_hidden_size": 2,
            "d_model": 2,
        },
    )
    predictor(folder)


def predictor(folder):
    """Decoder and joiner of a transducer."""
    size = len(TOKENS)
    # The last token is not said again at once: its score falls, except the blank's.
    save(
        folder / "decoder-epoch-1-avg-1.onnx",
        [
            helper.make_node("Gather", ["y", "last"], ["newest"], axis=1),
            helper.make_node("Gather", ["penalties", "newest"], ["decoder_out"], axis=0),
        ],
        [tensor("y", ["N", 2], TensorProto.INT64)],
        [tensor("decoder_out", ["N", size])],
        [
            constant("last", 1, np.int64),
            constant("penalties", [[0, 0, 0], [0, -100, 0], [0, 0, -100]]),
        ],
        {"vocab_size": size, "context_size": 2},
    )
    save(
        folder / "joiner-epoch-1-avg-1.onnx",
        [helper.make_node("Add", ["encoder_out", "decoder_out"], ["logit"])],
        [tensor("encoder_out", ["N", size]), tensor("decoder_out", ["N", size])],
        [tensor("logit", ["N", size])],
        [],
        {"joiner_dim": size},
    )


def streaming_nemo_ctc(folder):
    write_tokens(folder, NEMO_TOKENS)
    number, whole = TensorProto.FLOAT, TensorProto.INT64
    states = [("channel", ["N", 1, 2, 3], number), ("time", ["N", 1, 2, 3], number), ("channel_len", ["N"], whole)]
    nodes, constants = scores("x", "logits", CHUNK, NEMO_ORDER)
    state_nodes, inputs, outputs = pass_on(states)
    head = [
        helper.make_node("Transpose", ["audio_signal"], ["x"], perm=[0, 2, 1]),
        helper.make_node("Identity", ["length"], ["logits_length"]),
    ]
    save(
        folder / "model.onnx",
        head + nodes + state_nodes,
        [tensor("audio_signal", ["N", FEATURES, WINDOW]), tensor("length", ["N"], whole)] + inputs,
        [tensor("logits", ["N", CHUNK // STRIDE, len(TOKENS)]), tensor("logits_length", ["N"], whole)] + outputs,
        constants,
        {
            "model_type": "EncDecCTCModelBPE",
            "vocab_size": len(TOKENS) - 1,
            "window_size": WINDOW,
            "chunk_shift": CHUNK,
            "subsampling_factor": STRIDE,
            "normalize_type": "",
            "cache_last_channel_dim1": 1,
            "cache_last_channel_dim2": 2,
            "cache_last_channel_dim3": 3,
            "cache_last_time_dim1": 1,
            "cache_last_time_dim2": 2,
            "cache_last_time_dim3": 3,
        },
    )


def main():
    root = Path(sys.argv[1])
    zipformer_ctc(root / "zipformer-ctc")
    nemo_ctc(root / "nemo-ctc")
    transducer(root / "transducer")
    streaming_zipformer_ctc(root / "streaming-zipformer-ctc")
    streaming_nemo_ctc(root / "streaming-nemo-ctc")
    streaming_transducer(root / "streaming-transducer")


if __name__ == "__main__":
    main()
