#include <spawn.h>

#ifdef __linux__
// glibc 2.34 has it, but hides it from Swift's view of the C library.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

static inline int auricle_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
#endif
