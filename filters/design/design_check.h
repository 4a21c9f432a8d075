/* Refusals that the designs share: each names the parameter, its value and what is valid. */
#ifndef GF_DESIGN_CHECK_H
#define GF_DESIGN_CHECK_H

#include "design/iir.h"

gf_status gf_check_edges(enum gf_filter_kind kind, const double edge[2], gf_error *error);
gf_status gf_check_frequency(const char *name, double value, double below,
                             gf_error *error); /* 0 < value < below */
gf_status gf_check_range(const char *name, double value, double above, double most, gf_error *error);
gf_status gf_check_room(int32_t needed, int32_t room, gf_error *error);

#endif
