/* stage_inputs.h: the other pictures that a text names, made from the text alone. A name says what picture it
 * is: pic_37_11_3_u8 is 37 x 11 pixels of 3 channels; any other has the shape of the picture that the
 * pipeline begins with. Of a file of numbers it says how many there are: @numbers_63_65 has 63 rows of 65. */
#ifndef STAGE_INPUTS_H
#define STAGE_INPUTS_H

#include "gpufilter/inputs.h"
#include "parity.h"

enum { STAGE_MOST_INPUTS = 16 };

struct stage_inputs {
    int32_t n; /* beside "in" */
    gf_shape shapes[STAGE_MOST_INPUTS];
    struct parity_picture pictures[STAGE_MOST_INPUTS];
};

/* Finds what a plan for the pipeline must be told: sets fields of *options, which borrows from *inputs. Files
 * get their numbers, multiples of 1/128 from -1 to 1, some of them 0. */
void stage_inputs_find(gf_pipeline *pipeline, const gf_shape *in, struct stage_inputs *inputs,
                       gf_plan_options *options);

/* Makes the pictures, the same ones for the same shapes, and gives them to the exec. They are the caller's,
 * to be freed when the exec is gone. */
gf_status stage_inputs_give(struct stage_inputs *inputs, gf_exec *exec, gf_error *error);
void stage_inputs_free(struct stage_inputs *inputs);

#endif
