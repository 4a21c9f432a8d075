/* What emu_faults.c runs at every fault point: scenarios, and what one run of a scenario came to. */
#ifndef FAULT_SCENARIO_H
#define FAULT_SCENARIO_H

#include "gpufilter/types.h"

#include <stdbool.h>

/* Which kinds of fault a scenario is put through. */
enum fault_reach {
    FAULT_HOST,   /* it uses the CPU only: host allocations */
    FAULT_DEVICE, /* also cuda* calls: what they fail with by themselves, and errors that stick */
    FAULT_CODES,  /* also one call of the cuda* shim at a time with each of a list of errors */
    FAULT_AUTO    /* the program chose the device: it is done without, with one warning */
};

struct fault_run {
    int code;           /* exit code of the program, or that of the library call that failed; 0: success */
    uint64_t hash;      /* of all that came out; meaningful when code is that of a run without a fault */
    char message[2048]; /* gf_error.message, or what the program wrote to stderr */
    bool is_program;    /* message is stderr */
    bool ran_again;     /* the objects that a failure left were used once more, with these results: */
    int again_code;     /*   when the fault was over, or, after an error that sticks, while it lasts */
    uint64_t again_hash;
    bool elsewhere;    /*   on the CPU, so that a fault of the device that lasts is none any more */
    char trouble[256]; /* what the scenario itself saw go wrong; "": nothing */
};

struct fault_scenario {
    const char *name;
    enum fault_reach reach;
    int code;           /* of a run without a fault */
    bool codes_are_own; /* `compare`: trouble of any class is exit code 2 */
    bool is_twin;       /* the same bytes as from the scenario in front of it */
    const void *how;    /* a chain, a command */
    void (*run)(const void *how, struct fault_run *run);
};

/* All lists end with a row of zeros. */
extern const struct fault_scenario fault_library_scenarios[];
extern const struct fault_scenario fault_program_scenarios[];
/* Those of each stage that there is. Ends the program where one cannot be bound. */
const struct fault_scenario *fault_stage_scenarios(void);

/* Inputs of all scenarios of a list; for the program in a working folder of this process alone. Called once,
 * in the parent of the processes that run scenarios. false: cannot make them. */
bool fault_library_prepare(void);
bool fault_program_prepare(void);

/* Prints what the program last wrote to stderr: also of a child that did not live to tell. */
void fault_program_log(void);

/* For scenarios. From the first on the fault counts. The second ends it, unless it is one that stays until
 * the end of the run, and returns whether it did. The third ends it in any case. */
void fault_begin(void);
bool fault_over(void);
void fault_end(void);

/* FNV-1a over bytes, from a hash so far (0: the first). */
uint64_t fault_hash(uint64_t hash, const void *bytes, size_t size);

/* Says what is wrong; false. */
__attribute__((format(printf, 1, 2))) bool fault_wrong(const char *format, ...);

/* Whether the code of a run that failed and its message name a fault of that kind: of the heap, or of CUDA,
 * which returned `error` (0: what a call may). codes_are_own: of any code. */
bool fault_message_fits(bool heap, int error, bool codes_are_own, const struct fault_run *run);

#endif
