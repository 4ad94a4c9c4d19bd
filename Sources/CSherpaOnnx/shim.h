#include "../../.deps/sherpa-onnx/include/sherpa-onnx/c-api/c-api.h"
