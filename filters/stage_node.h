/* A stage of a parsed pipeline: its type, its parameters, and where it stood in the text. */
#pragma once

#include "gpufilter/stage.h"

/* How channels (GF_PARAM_CHANNELS) are stored: bit c: channel c, where r, g, b are 0, 1, 2; and two
 * bits that only a picture's shape resolves, and one that changes what the stage gets. 0: the stage's default
 * (colour, not alpha). */
enum {
    GF_CHANNELS_NAMED = 28, /* numbers go up to one less */
    GF_CHANNELS_LUMA =
        1 << 28, /* `luma`: the stage acts on the luma of colours, which get its change; alone */
    GF_CHANNELS_ALL = 1 << 29,  /* `all`: every channel of the picture, alone */
    GF_CHANNELS_ALPHA = 1 << 30 /* `a`: the last channel of 2 or 4; others have none: an error */
};

/* The shared parameters; rows of the tables in params.c point into this struct. */
struct gf_stage_common {
    int32_t border;   /* enum gf_border */
    double value;     /* fraction of full scale */
    gf_roi roi;       /* w = 0: whole picture */
    double feather;   /* pixels over which the roi's edge is soft; 0: hard */
    int32_t channels; /* as above */
    char name[GF_PARAM_TEXT_SIZE];
    char save[GF_PARAM_TEXT_SIZE]; /* what later stages call the picture that leaves this one; "": nothing */
};

/* Rows of a type: at most 48 of its own, and the shared ones. */
enum { GF_STAGE_OWN_ROWS = 48, GF_STAGE_ROWS = GF_STAGE_OWN_ROWS + 7 };

/* Bytes of the pipeline's text, which has at most 65536; length 0: not in it. */
struct gf_text_place {
    uint16_t offset, length;
};

struct gf_stage_node {
    const gf_stage_type *type;
    struct gf_stage_common common;
    void *params;                               /* type->params_size bytes, owned; NULL without parameters */
    struct gf_text_place places[GF_STAGE_ROWS]; /* of the value of each row of gf_stage_param */
    int32_t text_offset;                        /* of the stage in the pipeline's text */
    int32_t text_length;
};
