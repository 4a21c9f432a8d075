/* matrix: each channel becomes a sum of all of them. */
#include "gpufilter/stage.h"

struct matrix {
    gf_list m;
    int32_t known;
};

/* Y'CbCr as JPEG has it (ITU-T T.871), with 1/2 for colours of 0. */
#define KR 0.299
#define KG 0.587
#define KB 0.114
#define CB (2 * (1 - KB))
#define CR (2 * (1 - KR))

/* Indexed by the order of the words of known=, from the second on. */
static const double matrices[][12] = {
    {0.393, 0.769, 0.189, 0, 0.349, 0.686, 0.168, 0, 0.272, 0.534, 0.131, 0},
    {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0},
    {KR, KG, KB, 0, -KR / CB, -KG / CB, 0.5, 0.5, 0.5, -KG / CR, -KB / CR, 0.5},
    {1, 0, CR, -CR / 2, 1, -KB *CB / KG, -KR *CR / KG, (KB * CB + KR * CR) / KG / 2, 1, CB, 0, -CB / 2},
};

static void lower(gf_lowering *l, const void *params)
{
    const struct matrix *p = params;
    const gf_value_id v = gf_lower_input(l);
    if ((p->m.rows == 0) == (p->known == 0)) {
        gf_lower_fail(
            l, GF_ERROR_ARGUMENT,
            p->known ? "m and known both name a matrix; give only one"
                     : "m= is not given, must be a list as [0 0 1; 0 1 0; 1 0 0], or known= a word as sepia");
        return;
    }
    if (p->known && gf_lower_shape(l, v).channels < 3) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "known= is of colour pictures; this one is gray: rgb comes before");
        return;
    }
    if (p->known) {
        gf_lower_output(l, gf_lower_matrix(l, v, matrices[p->known - 1], 3, 4));
        return;
    }
    gf_lower_output(l, gf_lower_matrix(l, v, p->m.values, p->m.rows, p->m.columns));
}

GF_PARAMS(
    {GF_ROW(LIST, matrix, m, ""),
     .help = "a row for each channel of the result, a number for each channel of the picture",
     .positional = 1},
    {GF_ROW(CHOICE, matrix, known, "given"), .choices = "given|sepia|bgr|ycbcr|from_ycbcr",
     .help =
         "given: that of m; or sepia, red and blue changed, luma and colour differences as in JPEG, and back",
     .positional = 1});

GF_EXAMPLES({"rgb,matrix:sepia", "the brown of old photographs"},
            {"rgb,matrix:ycbcr,blur:4:channels=1+2,matrix:from_ycbcr",
             "colours run, what is light and dark stays sharp"},
            {"matrix:[0 0 1; 0 1 0; 1 0 0]", "red and blue change places, which matrix:bgr does too"},
            {"matrix:[-1 0 0 1; 0 -1 0 1; 0 0 -1 1]",
             "the negative: a fourth column is added, in fractions of white"},
            {"matrix:[0 1 0]", "the green channel as a gray picture"});

const gf_stage_type gf_stage_matrix = {
    GF_STAGE_OF(matrix),
    .group = "point",
    .summary = "mixes channels: each becomes a weighted sum of all",
    .use = "To mix, swap or weigh channels: sepia, another luma, colour correction by a measured matrix.",
    .formula =
        "Channel r becomes m[r][0] v[0] + m[r][1] v[1] + ..., plus white m[r][n] where there is a column\n"
        "more. 3x3, 3x4: colour to colour; 1x3, 1x4: colour to gray; 3x1, 3x2: gray to colour; alpha stays\n"
        "behind. 4x4, 4x5: RGBA with alpha among the sums; 2x2, 2x3: gray with alpha. ycbcr is that of "
        "JFIF,\n"
        "1/2 standing for no colour: red becomes (0.299, 0.331, 1).\n"
        "A chain of fma in f32 that begins with the last column; rounded half to even.",
    .lower = lower,
};
