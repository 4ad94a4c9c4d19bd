"""The few calls of sherpa-onnx's C interface that measuring needs, through ctypes.

The structures are read from the header that came with the library, so they fit its version.
"""

import ctypes
import os
import re

import numpy as np

_SCALARS = {"int32_t": ctypes.c_int32, "int64_t": ctypes.c_int64, "float": ctypes.c_float}


def _structures(header):
    """ctypes classes for the plain structures in a header, by name."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", open(header).read(), flags=re.S)
    found = {}
    for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\} \1;", text, flags=re.S):
        fields = []
        for kind, stars, field in re.findall(r"(?:const )?(\w+) ((?:\*(?:const )?)*)(\w+);", body.replace("const *", "*")):
            if kind == "char" and stars == "*":
                fields.append((field, ctypes.c_char_p))
            elif kind == "float" and stars == "*":
                fields.append((field, ctypes.POINTER(ctypes.c_float)))
            elif stars:
                fields.append((field, ctypes.c_void_p))
            else:
                fields.append((field, _SCALARS.get(kind) or found.get(kind) or ctypes.c_void_p))
        found[name] = type(name, (ctypes.Structure,), {"_fields_": fields})
    return found


class Library:
    def __init__(self, deps):
        root = os.path.join(deps, "sherpa-onnx")
        self.types = _structures(os.path.join(root, "include/sherpa-onnx/c-api/c-api.h"))
        self._library = ctypes.CDLL(os.path.join(root, "lib/libsherpa-onnx-c-api.so"))

    def call(self, name, *arguments, result=ctypes.c_void_p):
        function = self._library["SherpaOnnx" + name]
        function.restype = result
        return function(*arguments)


def _samples(audio):
    audio = np.ascontiguousarray(audio, dtype=np.float32)
    return audio, audio.ctypes.data_as(ctypes.POINTER(ctypes.c_float)), ctypes.c_int32(len(audio))


class Recogniser:
    """A Moonshine model on one thread."""

    def __init__(self, library, folder, threads=1):
        def file(stem):
            return next(os.path.join(folder, stem + end) for end in (".onnx", ".ort") if os.path.exists(os.path.join(folder, stem + end)))

        self._library = library
        config = library.types["SherpaOnnxOfflineRecognizerConfig"]()
        config.feat_config.sample_rate, config.feat_config.feature_dim = 16000, 80
        config.model_config.moonshine.encoder = file("encoder_model").encode()
        config.model_config.moonshine.merged_decoder = file("decoder_model_merged").encode()
        config.model_config.tokens = os.path.join(folder, "tokens.txt").encode()
        config.model_config.num_threads, config.model_config.provider = threads, b"cpu"
        config.decoding_method = b"greedy_search"
        self._handle = ctypes.c_void_p(library.call("CreateOfflineRecognizer", ctypes.byref(config)))

    def __call__(self, audio):
        """The text of 16 kHz samples and how many tokens it took."""
        call = self._library.call
        audio, pointer, count = _samples(audio)
        stream = ctypes.c_void_p(call("CreateOfflineStream", self._handle))
        call("AcceptWaveformOffline", stream, ctypes.c_int32(16000), pointer, count, result=None)
        call("DecodeOfflineStream", self._handle, stream, result=None)
        kind = ctypes.POINTER(self._library.types["SherpaOnnxOfflineRecognizerResult"])
        result = call("GetOfflineStreamResult", stream, result=kind)
        answer = (result.contents.text or b"").decode(errors="replace").strip(), result.contents.count
        call("DestroyOfflineRecognizerResult", result, result=None)
        call("DestroyOfflineStream", stream, result=None)
        return answer


def segments(library, model, audio, silence=0.5, longest=15.0):
    """Start and end of each stretch of speech in 16 kHz samples, by the Silero detector."""
    call = library.call
    config = library.types["SherpaOnnxVadModelConfig"]()
    config.silero_vad.model = model.encode()
    config.silero_vad.threshold, config.silero_vad.window_size = 0.5, 512
    config.silero_vad.min_silence_duration, config.silero_vad.min_speech_duration = silence, 0.25
    config.silero_vad.max_speech_duration = longest
    config.sample_rate, config.num_threads, config.provider = 16000, 1, b"cpu"
    length = ctypes.c_float(len(audio) / 16000 + 10)
    detector = ctypes.c_void_p(call("CreateVoiceActivityDetector", ctypes.byref(config), length))
    found, kind = [], ctypes.POINTER(library.types["SherpaOnnxSpeechSegment"])
    for at in range(0, len(audio), 512):
        _, pointer, count = kept = _samples(audio[at : at + 512])
        call("VoiceActivityDetectorAcceptWaveform", detector, pointer, count, result=None)
    call("VoiceActivityDetectorFlush", detector, result=None)
    while not call("VoiceActivityDetectorEmpty", detector, result=ctypes.c_int32):
        segment = call("VoiceActivityDetectorFront", detector, result=kind)
        found.append((segment.contents.start, segment.contents.start + segment.contents.n))
        call("DestroySpeechSegment", segment, result=None)
        call("VoiceActivityDetectorPop", detector, result=None)
    call("DestroyVoiceActivityDetector", detector, result=None)
    return found
