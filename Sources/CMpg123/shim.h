#include <mpg123.h>

// A macro renames the function where it exists in two versions; Swift does not see macros of that form.
static inline int auricle_mpg123_set(mpg123_handle *handle, enum mpg123_parms key, long value) {
  return mpg123_param(handle, key, value, 0);
}
