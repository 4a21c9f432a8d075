/* GPUs as the operating system knows them. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Names of NVIDIA GPUs, at most `capacity`; 0 where CUDA_VISIBLE_DEVICES hides all. Reads what the driver
 * shows under /proc and /dev; does not open a device and does not need a CUDA library. */
int32_t gf_listed_gpus(char names[][128], int32_t capacity);

#ifdef __cplusplus
}
#endif
