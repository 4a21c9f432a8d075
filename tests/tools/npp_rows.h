// npp_rows.h: what compare_npp compares: chains of ours and what NPP has for the same. C++.
#ifndef NPP_ROWS_H
#define NPP_ROWS_H

#include "compare_chain.h"

#include <nppi.h>

#include <cstdio>
#include <cstdlib>

inline void must(bool fine, const char *what, const char *why)
{
    if (!fine) {
        std::fprintf(stderr, "compare_npp: %s: %s\n", what, why);
        std::exit(1);
    }
}

const size_t NPP_BUFFER = size_t(1) << 31;

// What NPP's functions are given.
struct call {
    const Npp8u *in, *other; // two pictures of the row's shape
    Npp8u *out;
    void *buffer; // NPP_BUFFER bytes of scratch
    NppiSize size;
    NppStreamContext context;
    const Npp32f *in_f() const { return reinterpret_cast<const Npp32f *>(in); }
    Npp32f *out_f() const { return reinterpret_cast<Npp32f *>(out); }
};

struct row {
    const char *name, *chain;
    int channels;
    gf_depth depth;
    void (*theirs)(const call &c); // NULL: NPP has nothing
    bool same =
        false; // both make the same picture in real numbers: the largest difference is told, in levels
};

extern const row npp_rows[]; // name NULL behind the last

#endif
