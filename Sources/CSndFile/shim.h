#include <sndfile.h>

/// Sets the longest sound in an Ogg page; the command takes its number through an untyped pointer. Its answer is the same
/// whether the encoder heeds it or not.
static inline void auricle_sndfile_set_page_latency(SNDFILE *file, double milliseconds) {
  sf_command(file, SFC_SET_OGG_PAGE_LATENCY, &milliseconds, sizeof milliseconds);
}
