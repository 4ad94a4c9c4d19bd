// sherpa-onnx is loaded at run time, so that a program starts, and can say what is missing, without it.
// Its header is found where setting-up puts it; each function's type is the header's own.
#pragma once
#include <dlfcn.h>
#include <stddef.h>

#ifdef __linux__
#include <malloc.h>
#endif

#include "../../.deps/sherpa-onnx/include/sherpa-onnx/c-api/c-api.h"

#define AURICLE_SHERPA_FUNCTIONS(X)                  \
  X(SherpaOnnxGetVersionStr)                         \
  X(SherpaOnnxCreateOfflineRecognizer)               \
  X(SherpaOnnxDestroyOfflineRecognizer)              \
  X(SherpaOnnxCreateOfflineStream)                   \
  X(SherpaOnnxDestroyOfflineStream)                  \
  X(SherpaOnnxAcceptWaveformOffline)                 \
  X(SherpaOnnxDecodeOfflineStream)                   \
  X(SherpaOnnxGetOfflineStreamResult)                \
  X(SherpaOnnxDestroyOfflineRecognizerResult)        \
  X(SherpaOnnxCreateVoiceActivityDetector)           \
  X(SherpaOnnxDestroyVoiceActivityDetector)          \
  X(SherpaOnnxVoiceActivityDetectorAcceptWaveform)   \
  X(SherpaOnnxVoiceActivityDetectorDetected)         \
  X(SherpaOnnxVoiceActivityDetectorEmpty)            \
  X(SherpaOnnxVoiceActivityDetectorPop)              \
  X(SherpaOnnxVoiceActivityDetectorFlush)            \
  X(SherpaOnnxVoiceActivityDetectorReset)            \
  X(SherpaOnnxCreateOnlineRecognizer)                \
  X(SherpaOnnxDestroyOnlineRecognizer)               \
  X(SherpaOnnxCreateOnlineStream)                    \
  X(SherpaOnnxDestroyOnlineStream)                   \
  X(SherpaOnnxOnlineStreamAcceptWaveform)            \
  X(SherpaOnnxIsOnlineStreamReady)                   \
  X(SherpaOnnxDecodeOnlineStream)                    \
  X(SherpaOnnxGetOnlineStreamResult)                 \
  X(SherpaOnnxDestroyOnlineRecognizerResult)         \
  X(SherpaOnnxOnlineStreamReset)                     \
  X(SherpaOnnxOnlineStreamInputFinished)             \
  X(SherpaOnnxOnlineStreamIsEndpoint)

typedef struct AuricleSherpaFunctions {
#define AURICLE_FIELD(name) __typeof__(&name) name;
  AURICLE_SHERPA_FUNCTIONS(AURICLE_FIELD)
#undef AURICLE_FIELD
} AuricleSherpaFunctions;

/// Finds every function; returns the name of the first that is missing, or NULL.
static inline const char *auricle_sherpa_resolve(void *library, AuricleSherpaFunctions *functions) {
#define AURICLE_RESOLVE(name)                                          \
  functions->name = (__typeof__(&name))dlsym(library, #name);          \
  if (functions->name == NULL) return #name;
  AURICLE_SHERPA_FUNCTIONS(AURICLE_RESOLVE)
#undef AURICLE_RESOLVE
  return NULL;
}

/// Has the C library take each large piece from the system and give it back when it is freed, at a size that stays:
/// by itself it raises that size to tens of megabytes, and keeps the pieces. For a whole process; once, at its start.
static inline void auricle_return_large_blocks(void) {
#ifdef __linux__
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
  mallopt(M_TRIM_THRESHOLD, 128 * 1024);
#endif
}

/// Gives freed memory back to the system, where the C library keeps it.
static inline void auricle_trim_heap(void) {
#ifdef __linux__
  malloc_trim(0);
#endif
}
