/* Where an output really goes: links followed, temporaries named. */
#ifndef GF_IO_TARGET_H
#define GF_IO_TARGET_H

/* N if the path names an open descriptor of this process: "-" and /dev/stdout 1, /dev/stderr
 * 2, /dev/fd/N and /proc/self/fd/N; else -1. */
int gf_target_descriptor(const char *path);

/* The path with symbolic links of its last part followed, existing or not; the caller frees
 * it. NULL with errno set: ELOOP after 40 links, ENOMEM, or what readlink said. */
char *gf_target_resolve(const char *path);

/* A name for attempt number `attempt` of a temporary beside the target, of the form
 * ".gpufilter-NAME.XXXXXXXX.tmp", no two alike in practice. The caller frees it; NULL: ENOMEM. */
char *gf_target_temporary(const char *target, unsigned attempt);

#endif
