#include <mpg123.h>

// A macro renames the function where it exists in two versions; Swift does not see macros of that form.
static inline int auricle_mpg123_set(mpg123_handle *handle, enum mpg123_parms key, long value) {
  return mpg123_param(handle, key, value, 0);
}

// The version, or NULL where the library does not tell it: before 1.32.
static inline const char *auricle_mpg123_version(void) {
#if MPG123_API_VERSION >= 48
  return mpg123_distversion(NULL, NULL, NULL);
#else
  return NULL;
#endif
}
