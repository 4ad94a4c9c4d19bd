#include <fcntl.h>

#ifdef __linux__
// glibc has it, but hides it from Swift's view of the C library; the numbers are the kernel's, from linux/falloc.h.
extern int fallocate(int file, int mode, off_t offset, off_t length);

/// Gives a part of a file back to the disk; the part reads as zeros, and the file keeps its length.
static inline int auricle_punch_hole(int file, off_t offset, off_t length) {
  const int keep_size = 0x01, punch_hole = 0x02;
  return fallocate(file, keep_size | punch_hole, offset, length);
}
#elif defined(__APPLE__)
/// Gives a part of a file back to the disk; the part reads as zeros, and the file keeps its length.
static inline int auricle_punch_hole(int file, off_t offset, off_t length) {
  struct fpunchhole hole = {0, 0, offset, length};
  return fcntl(file, F_PUNCHHOLE, &hole);
}
#endif
