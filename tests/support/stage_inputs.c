#include "stage_inputs.h"

#include "plan_cases.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gf_shape shape_of(const char *name, const gf_shape *in)
{
    gf_shape shape;
    char depth[8];
    if (sscanf(name, "pic_%" SCNd64 "_%" SCNd64 "_%d_%7s", &shape.width, &shape.height, &shape.channels,
               depth) == 4) {
        for (int d = GF_U8; d <= GF_F32; d++) {
            if (!strcmp(depth, gf_depth_name((gf_depth)d))) {
                shape.depth = (gf_depth)d;
                return shape;
            }
        }
    }
    return *in;
}

/* A file's name says how many rows and columns it has, and whether numbers are small integers (tiny) or need
 * all digits (fine). Without memory a file has none, and the plan says so. */
static void give_numbers(gf_pipeline *pipeline)
{
    for (int32_t f = 0; f < gf_pipeline_file_count(pipeline); f++) {
        int rows = 1, columns = 1;
        struct plan_random random;
        plan_random_seed(&random, 7, (uint64_t)f);
        const char *name = gf_pipeline_file_name(pipeline, f);
        const int tiny = !strncmp(name, "tiny_", 5), fine = !strncmp(name, "fine_", 5);
        sscanf(name, "%*[a-z]_%d_%d", &rows, &columns);
        double *values = malloc((size_t)rows * (size_t)columns * sizeof *values);
        for (int i = 0; values && i < rows * columns; i++) {
            const int most = tiny ? 9 : 128;
            values[i] = (double)plan_random_between(&random, -most, most) / (fine ? 129 : 128);
            values[i] = i % 5 == 3 ? 0 : values[i];
        }
        gf_pipeline_set_file(pipeline, f, rows, columns, values, NULL);
        free(values);
    }
}

void stage_inputs_find(gf_pipeline *pipeline, const gf_shape *in, struct stage_inputs *inputs,
                       gf_plan_options *options)
{
    int32_t count = gf_pipeline_input_count(pipeline);
    give_numbers(pipeline);
    *inputs = (struct stage_inputs){0};
    for (int32_t i = 1; i < count && i <= STAGE_MOST_INPUTS; i++) {
        inputs->shapes[inputs->n++] = shape_of(gf_pipeline_input_name(pipeline, i), in);
    }
    options->other_inputs = inputs->shapes;
    options->n_other_inputs = inputs->n;
}

gf_status stage_inputs_give(struct stage_inputs *inputs, gf_exec *exec, gf_error *error)
{
    gf_status status = GF_OK;
    for (int32_t i = 0; i < inputs->n && status == GF_OK; i++) {
        const gf_shape *s = &inputs->shapes[i];
        struct plan_random random;
        if (!parity_picture_make(&inputs->pictures[i], s, (i + 1) % 3)) {
            return GF_ERROR_MEMORY;
        }
        plan_random_seed(&random, (uint64_t)(s->width * 7 + s->channels), (uint64_t)(20 + i));
        plan_random_picture(&random, s->width % 2 ? PLAN_NOISE : PLAN_SMOOTH, false,
                            &inputs->pictures[i].image);
        status = gf_exec_set_input(exec, i + 1, &inputs->pictures[i].image, error);
    }
    return status;
}

void stage_inputs_free(struct stage_inputs *inputs)
{
    for (int32_t i = 0; i < inputs->n; i++) {
        parity_picture_free(&inputs->pictures[i]);
    }
}
