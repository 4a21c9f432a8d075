/* The fault that this run has: compiled only where faults are planted, so it may print and exit. */
#include "base/planted_fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum gf_planted_fault gf_fault_now = GF_FAULT_none;

static const char *const names[] = {
    "",
#define GF_FAULT_DEF(name, what) #name,
#include "base/planted_faults.def"
#undef GF_FAULT_DEF
};

__attribute__((constructor)) static void read_fault(void)
{
    const char *wanted = getenv("GPUFILTER_FAULT");
    int n = (int)(sizeof names / sizeof *names);
    int i = 0;
    if (!wanted) {
        return;
    }
    while (i < n && strcmp(names[i], wanted) != 0) {
        i++;
    }
    if (i == n) {
        fprintf(stderr, "GPUFILTER_FAULT is '%s': no such fault\n", wanted);
        _Exit(99);
    }
    gf_fault_now = (enum gf_planted_fault)i;
}
