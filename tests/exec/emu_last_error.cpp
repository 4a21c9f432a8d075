/* CUDA's last error on the emulated device, which it clears, for tests in C. */
#include "emu.h"

extern "C" int emu_last_error(void)
{
    return static_cast<int>(cudaGetLastError());
}
