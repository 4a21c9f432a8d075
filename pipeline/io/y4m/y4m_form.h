/* How the frames of a y4m hold their samples, and rows of them on their way to RGB and back; the definition
 * is in docs/exactness.md. */
#pragma once

#include "gpufilter/io.h"

/* Widths from 1280 on and heights above 576 are HDTV, of BT.709; others of BT.601. */
#define GF_Y4M_HD_WIDTH  1280
#define GF_Y4M_HD_HEIGHT 577

struct gf_y4m_form {
    int64_t width, height;
    int64_t across, down; /* samples of chroma a row, and rows of them; 0: none */
    int shift_x, shift_y; /* 1: a sample for two */
    int bits;
    int sample;        /* bytes */
    int64_t weight[9]; /* in units of 2^-20: to RGB or from it */
    int64_t black, grey, most;
};

/* `reads`: the weights are those to RGB. */
void gf_y4m_form_choose(struct gf_y4m_form *form, int64_t width, int64_t height, gf_chroma chroma, int bits,
                        int full_range, int reads);

uint64_t gf_y4m_frame_bytes(const struct gf_y4m_form *form);

/* Row y of a frame as it lies in the file, planes one behind the other, to u8, or u16 where there are more
 * bits: gray where there is no chroma, else RGB. */
void gf_y4m_to_rgb(const struct gf_y4m_form *form, const uint8_t *frame, int64_t y, void *row);

/* A row of plane 0, 1 or 2 from `rows` (1 or 2) rows of a picture, gray or RGB. */
void gf_y4m_from_rgb(const struct gf_y4m_form *form, const gf_shape *shape, int plane,
                     const void *const row[2], int rows, uint8_t *to);
