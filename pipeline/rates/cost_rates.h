/* The rates of cost_model.def that are not of work: gf_cost_rate.START_MS and its neighbours. */
#pragma once

static const struct {
#define GF_COST(what, cpu, gpu)
#define GF_RATE(what, value) double what;
#include "rates/cost_model.def"
#undef GF_RATE
} gf_cost_rate = {
#define GF_RATE(what, value) value,
#include "rates/cost_model.def"
#undef GF_COST
#undef GF_RATE
};
