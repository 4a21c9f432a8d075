/* Notes of what would be queued, in place of doing it (gpufilter/queue_notes.h). */
#include "emu_notes.h"

#include <deque>
#include <set>
#include <string.h>
#include <string>

static bool noting;
static std::deque<gf_queue_note> notes;
static std::set<std::string> names; /* stay until the end of the process */

std::string emu_kernel_name(const char *launched)
{
    const char *name = launched + strspn(launched, "( ");
    return std::string(name, strcspn(name, "<() "));
}

void gf_emu_note(bool on)
{
    if (on) { notes.clear(); }
    noting = on;
}

const gf_queue_note *gf_emu_noted(size_t index) { return index < notes.size() ? &notes[index] : nullptr; }

bool emu_note(const gf_emu_grid &g)
{
    if (noting) {
        const char *name = names.insert(emu_kernel_name(g.name)).first->c_str();
        notes.push_back({name, {g.grid.x, g.grid.y, g.grid.z}, {g.block.x, g.block.y, g.block.z}, g.shared});
    }
    return noting;
}

bool emu_note_bytes(size_t bytes)
{
    if (noting) { notes.push_back({nullptr, {}, {}, bytes}); }
    return noting;
}
