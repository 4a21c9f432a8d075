/* Included into every source of pipeline/ for the wheel. glibc 2.35 has another hypot, the same but for
 * errno; without it the wheel runs on systems with glibc 2.34, as RHEL 9. */
#pragma once

#if defined(__x86_64__) && __has_include(<gnu/libc-version.h>)
__asm__(".symver hypot, hypot@GLIBC_2.2.5");
#endif
