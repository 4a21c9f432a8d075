/* Fault scenarios of each stage by itself, drawn from the tables: its first text that can be bound, on the
 * emulated device and on the CPU. */
#include "fault_chain.h"
#include "stage_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STAGES = 128 };

static struct chain chains[2 * MOST_STAGES];
static struct fault_scenario scenarios[2 * MOST_STAGES + 1];
static char texts[MOST_STAGES][STAGE_TEXT_SIZE], names[2 * MOST_STAGES][64];

static void keep_first(const char *text, const gf_stage_type *type, const gf_param *row, const gf_plan *plan,
                       void *user)
{
    char *kept = user;
    const gf_shape out = gf_plan_output(plan);
    const size_t bytes = (size_t)(out.width * out.height * out.channels) * gf_depth_size(out.depth);
    (void)type, (void)row;
    if (!kept[0] && bytes <= FAULT_PIXEL_BYTES &&
        !strstr(text, "=pic_")) { /* it reads no picture but its own */
        snprintf(kept, STAGE_TEXT_SIZE, "%s", text);
    }
}

/* Finds a text for a colour picture if it can be; for a square, if a stage multiplies it with itself. */
static bool find_text(gf_context *context, const gf_stage_type *type, gf_shape *shape, char *text)
{
    static const gf_shape tried[] = {{37, 11, 3, GF_U8}, {37, 11, 1, GF_U8}, {19, 19, 3, GF_U8}};
    char why[256];
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        *shape = tried[i];
        if (stage_cases(context, type, shape, NULL, keep_first, text, why, sizeof why) > 0 && text[0]) {
            return true;
        }
    }
    return false;
}

const struct fault_scenario *fault_stage_scenarios(void)
{
    gf_context *context = NULL;
    int32_t n, made = 0;
    const gf_stage_type *const *types = picture_stage_types(&n);
    if (n > MOST_STAGES || gf_context_create(NULL, &context, NULL) != GF_OK) {
        printf("Bail out! %d stages, and no context for them\n", n);
        exit(2);
    }
    for (int32_t t = 0; t < n; t++) {
        gf_shape shape;
        bool found = find_text(context, types[t], &shape, texts[t]);
        for (int32_t i = 0; found && i < 2; i++, made++) {
            chains[made] =
                (struct chain){.stages = texts[t], .device = i == 0 ? 0 : GF_DEVICE_CPU, .shape = shape};
            snprintf(names[made], sizeof names[made], "stage %s, %s", types[t]->name, i == 0 ? "emu" : "cpu");
            scenarios[made] = (struct fault_scenario){.name = names[made],
                                                      .reach = i == 0 ? FAULT_DEVICE : FAULT_HOST,
                                                      .is_twin = i == 1,
                                                      .how = &chains[made],
                                                      .run = fault_chain_run};
        }
        if (!found) {
            printf("Bail out! no text of stage %s can be bound\n", types[t]->name);
            exit(2);
        }
    }
    gf_context_destroy(&context);
    return scenarios;
}
