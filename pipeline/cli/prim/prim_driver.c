/* The drivers of the primitives, which options they take, and the jobs that they prepare. */
#include "base/message.h"
#include "base/words.h"
#include "prim/prim.h"

#include <string.h>

#define USUAL_N "16M"

#define GF_PRIMITIVE(name) extern const struct prim_driver prim_driver_##name;
#include "primitives.def"
#undef GF_PRIMITIVE

const struct prim_driver *prim_driver_find(const char *name)
{
    static const struct prim_driver *const drivers[] = {
#define GF_PRIMITIVE(name) &prim_driver_##name,
#include "primitives.def"
#undef GF_PRIMITIVE
    };
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++) {
        if (!strcmp(drivers[i]->name, name)) {
            return drivers[i];
        }
    }
    return NULL;
}

/* ---- Options --------------------------------------------------------------------------------- */

/* Adds the names of the primitives that take the option, as a list of words. */
static bool add_takers(enum prim_option option, struct buffer *names)
{
    const gf_primitive *primitive;
    bool any = false;
    for (size_t i = 0; (primitive = gf_primitive_at(i)) != NULL; i++) {
        const struct prim_driver *driver = prim_driver_find(primitive->name);
        if (driver && (driver->takes & PRIM_TAKES(option)) != 0) {
            buffer_printf(names, "%s%s", any ? "|" : "", primitive->name);
            any = true;
        }
    }
    return any;
}

bool prim_option_fits(enum prim_option option, const char *primitive)
{
    struct buffer names = {0};
    const struct prim_driver *driver = prim_driver_find(primitive);
    bool fits = !add_takers(option, &names) || (driver && (driver->takes & PRIM_TAKES(option)) != 0);
    buffer_free(&names);
    return fits;
}

gf_status prim_options_check(const struct prim_options *options)
{
    for (enum prim_option i = 0; i < PRIM_OPTION_COUNT; i++) {
        if (options->text[i] && !prim_option_fits(i, options->primitive)) {
            const enum prim_option size = prim_option_fits(PRIM_SHAPE, options->primitive)   ? PRIM_SHAPE
                                          : prim_option_fits(PRIM_GRAPH, options->primitive) ? PRIM_GRAPH
                                                                                             : PRIM_NX;
            struct buffer takers = {0}, names = {0};
            if (i == PRIM_N) {
                return cli_fail(GF_ERROR_ARGUMENT, "--n is for arrays of one dimension: %s has --%s %s",
                                options->primitive, prim_option_table[size].name,
                                prim_option_table[size].argument);
            }
            add_takers(i, &takers);
            words_add(&names, takers.data ? takers.data : "");
            cli_fail(GF_ERROR_ARGUMENT, "--%s is an option of %s, not of %s", prim_option_table[i].name,
                     names.data ? names.data : "others", options->primitive);
            buffer_free(&takers);
            buffer_free(&names);
            return GF_ERROR_ARGUMENT;
        }
    }
    return GF_OK;
}

/* ---- Jobs ------------------------------------------------------------------------------------ */

/* One array. */
static gf_status usual_inputs(struct prim_job *job)
{
    const char *n = job->options.text[PRIM_N] ? job->options.text[PRIM_N] : USUAL_N;
    if (job->options.text[PRIM_IN]) {
        return prim_job_read(job, 0, PRIM_IN, false);
    }
    CLI_TRY(prim_count("--n", n, 0, &job->n));
    CLI_TRY(prim_job_recipe(job));
    return prim_job_make(job, 0, 0, job->n);
}

gf_status prim_job_create(const struct prim_options *options, struct prim_job *job)
{
    *job = (struct prim_job){.options = *options, .driver = prim_driver_find(options->primitive)};
    CLI_TRY(prim_options_check(options));
    CLI_TRY(job->driver->inputs ? job->driver->inputs(job) : usual_inputs(job));
    CLI_TRY(job->driver->prepare(job));
    job->array->type = job->type;
    return GF_OK;
}
