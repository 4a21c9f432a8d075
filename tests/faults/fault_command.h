/* A run of the program for tests of faults. */
#ifndef FAULT_COMMAND_H
#define FAULT_COMMAND_H

#include "fault_scenario.h"

enum { MOST_WORDS = 24 };

struct command {
    const char *words[MOST_WORDS];
    const char *made[3]; /* files it makes or replaces */
    bool over;           /* they exist before, as copies of rgb.png */
    const char *in;      /* standard input; NULL: empty */
    bool varies;         /* what it prints is not the same twice */
    const char *journal; /* of a batch: not there before; from it another run makes all that is missing */
};

/* A struct command. */
void run_command(const void *how, struct fault_run *run);

#endif
