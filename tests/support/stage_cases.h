/* stage_cases.h: texts of stages, drawn from the tables of the stages' parameters and from nothing else, so
 * that a new stage is in every test that uses this. */
#ifndef STAGE_CASES_H
#define STAGE_CASES_H

#include "base/text.h"
#include "gpufilter/gpufilter.h"
#include "plan_cases.h"

#include <string.h>

enum { STAGE_TEXT_SIZE = 512, STAGE_DRAWN = 6, STAGE_DRAWN_FORMS = 2 };

/* The types of gf_stage_types that work on pictures. Those of signals alone stand behind them, and have cases
 * of their own (test_signal_exec). */
static inline const gf_stage_type *const *picture_stage_types(int32_t *n)
{
    const gf_stage_type *const *types = gf_stage_types(n);
    while (*n > 0 && !types[*n - 1]->lower) {
        --*n;
    }
    return types;
}

/* Tells whether the row is of what a stage does to signals, which it refuses of pictures. */
static inline bool stage_param_is_of_signals(const gf_param *row)
{
    return (row->unit &&
            (!strcmp(row->unit, "s") || !strcmp(row->unit, "frames") || !strcmp(row->unit, "Hz"))) ||
           (row->help && !strncmp(row->help, "of a signal: ", 13));
}

/* The picture that a stage gets, and how far its windows may reach in texts drawn at random; or the signal,
 * of shape.width frames and shape.channels channels. */
struct stage_room {
    gf_shape shape;
    int32_t greatest_radius; /* >= 1 */
    bool common;             /* roi= and channels= may occur */
    bool forms;              /* roi= more often, also ellipse@ and feather= */
    double rate; /* of a signal, or what its times are drawn for where it has none; 0: a picture */
};

/* Whether the stages are refused for such a picture, and rightly: with a status that blames the caller, and a
 * message that names the stage. Otherwise *plan is one for the CPU, or NULL and *why tells what went wrong.
 */
enum stage_answer { STAGE_BOUND, STAGE_REFUSED, STAGE_BROKEN };
enum stage_answer stage_bind(gf_context *context, const char *text, const gf_shape *shape, gf_alpha alpha,
                             gf_plan **plan, gf_error *why);

/* Shape i of those that each stage is tried on, false past the last: a few sizes in each depth, where tiles,
 * strips and bands begin and end, with 1 to 4 channels. */
bool stage_shape(int32_t i, gf_shape *shape);

/* Tells whether tests can afford to run the plan: its pictures are not much larger than theirs, and it does
 * no more than `share`, in (0, 1], of what a whole chain may do with them. */
bool stage_affordable(const gf_plan *plan, double share);

/* Value i of the row that tests try one by one: its bounds, its default, some inside, each word. False past
 * the last. Every value is of the parameter's form and inside its interval. */
bool stage_value(const gf_stage_type *type, const gf_param *row, int32_t i, const gf_shape *shape,
                 struct gf_text *text);

/* The text of a stage with each of its parameters given or not, at random. */
void stage_draw(struct plan_random *random, const gf_stage_type *type, const struct stage_room *room,
                struct gf_text *text);

/* The text of a stage, of STAGE_TEXT_SIZE bytes, as one of a pair: all default or what it takes to be bound,
 * and in every three turns the second with some channels, the third in a roi, where it has them; from turn
 * STAGE_FORMS on with other words of its choices. False: not for this shape. */
enum { STAGE_FORMS = 3 };
bool stage_form(gf_context *context, const gf_stage_type *type, const gf_shape *shape, int32_t turn,
                char *text);

/* Calls `visit` for each text of this stage that a picture of this shape can be bound to: all default, each
 * value of each parameter, the others being default or what it takes to be bound at all (a value that is
 * refused then is tried beside each word of the choices, a feather beside a roi), then STAGE_DRAWN drawn ones
 * and STAGE_DRAWN_FORMS with forms. row: the parameter, or
 * NULL; the plan is visit's to look at. Returns how many were, or -1 after writing to `why` which text did
 * what it must not. */
typedef void (*stage_visit)(const char *text, const gf_stage_type *type, const gf_param *row,
                            const gf_plan *plan, void *user);
typedef bool (*stage_wanted)(void *user);
int32_t stage_cases(gf_context *context, const gf_stage_type *type, const gf_shape *shape,
                    stage_wanted wanted, stage_visit visit, void *user, char *why, size_t size);

#endif
