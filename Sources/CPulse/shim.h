#include <pulse/pulseaudio.h>

// A macro names this machine's byte order; Swift does not see macros that name other macros' values.
static const pa_sample_format_t auricle_pulse_float = PA_SAMPLE_FLOAT32NE;
