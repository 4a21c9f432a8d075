/* Notes of what would be queued, for the emulator. */
#ifndef GF_TESTS_EMU_NOTES_H
#define GF_TESTS_EMU_NOTES_H

#include "emu.h"
#include "gpufilter/queue_notes.h"

#include <string>

/* "name" of "(name<3, int>)" or the like. */
std::string emu_kernel_name(const char *launched);

/* While notes are taken, these take one and return true: then it is not to be done. */
bool emu_note(const gf_emu_grid &grid);
bool emu_note_bytes(size_t bytes);

extern "C" void gf_emu_note(bool on);
extern "C" const gf_queue_note *gf_emu_noted(size_t index);

#endif
