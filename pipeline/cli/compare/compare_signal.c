#include "compare/compare_signal.h"

#include "base/message.h"
#include "gpufilter/signal_io.h"
#include "job/limit_option.h"
#include "job/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct two_signals {
    gf_signal_reader *readers[2];
    const gf_signal_info *info[2];
    float *data[2];
    int64_t frames[2];     /* read, of all channels */
    double squares, power; /* of the differences, and of A */
    gf_comparison c;       /* x of a place is a frame */
};

enum { PIECE = 1 << 17 };

static gf_status check_criteria(const struct criteria *criteria)
{
    const char *option = criteria->has_psnr       ? "--psnr"
                         : criteria->ignore_alpha ? "--ignore-alpha"
                         : criteria->roi.w        ? "--roi"
                         : criteria->diff         ? "--diff"
                         : criteria->has_allow    ? "--allow"
                         : criteria->metrics      ? "--metrics, --ssim and --ms-ssim"
                         : criteria->by           ? "--yiq and --ciede2000"
                         : criteria->ignore_count ? "--ignore"
                         : criteria->mask         ? "--mask"
                         : criteria->shift        ? "--shift"
                         : criteria->antialias    ? "--antialias"
                                                  : NULL;
    return option ? cli_fail(GF_ERROR_ARGUMENT, "%s: A and B are signals, and that is for pictures", option)
                  : GF_OK;
}

static gf_status open_pair(const struct criteria *criteria, struct two_signals *p)
{
    gf_error error = GF_ERROR_INIT;
    for (int i = 0; i < 2; i++) {
        CLI_TRY(limit_told(gf_signal_reader_open(criteria->paths[i], NULL, &p->readers[i], &error), &error));
        p->info[i] = gf_signal_reader_info(p->readers[i]);
        p->data[i] = malloc(sizeof(float) * PIECE);
        CLI_TRY(cli_need_memory(p->data[i]));
    }
    p->c.channels = p->info[0]->channels;
    p->c.identical = true;
    p->c.max_diff = criteria->diff_white > 0 ? criteria->max_diff / criteria->diff_white : criteria->max_diff;
    return GF_OK;
}

/* Frame i of the piece in channel c, at a pitch. */
static void compare_sample(struct two_signals *p, int64_t i, int32_t channel, int64_t pitch)
{
    const float a = p->data[0][channel * pitch + i], b = p->data[1][channel * pitch + i];
    const gf_compare_place place = {p->frames[0] + i, 0, channel, 0, (double)a, (double)b};
    p->power += (double)a * (double)a;
    if (memcmp(&a, &b, sizeof a) == 0) {
        return;
    }
    const double exact = fabs((double)a - (double)b), difference = isnan(exact) ? INFINITY : exact;
    if (difference > 0) {
        p->c.identical = false;
        p->squares += difference * difference;
    }
    if (difference > p->c.largest) {
        p->c.largest = difference;
        p->c.most = place;
    }
    if (difference > p->c.max_diff && p->c.count++ == 0) {
        p->c.first = place;
    }
}

/* Both to their ends; of what only one has the frames are counted. */
static gf_status compare_all(struct two_signals *p)
{
    const int64_t piece = PIECE / p->c.channels;
    gf_error error = GF_ERROR_INIT;
    int64_t got[2] = {piece, piece};
    while (got[0] == piece || got[1] == piece) {
        for (int i = 0; i < 2; i++) {
            const int64_t wanted = got[i] == piece ? piece : 0;
            CLI_TRY(limit_told(
                gf_signal_reader_read(p->readers[i], p->data[i], piece, wanted, &got[i], &error), &error));
        }
        for (int64_t n = 0, both = got[0] < got[1] ? got[0] : got[1]; n < both; n++) {
            for (int32_t c = 0; c < p->c.channels; c++) {
                compare_sample(p, n, c, piece);
            }
        }
        p->frames[0] += got[0];
        p->frames[1] += got[1];
        progress_set("comparing", p->frames[0], p->info[0]->frames > 0 ? p->info[0]->frames : 0);
    }
    p->c.samples = (uint64_t)p->frames[0] * (uint64_t)p->c.channels;
    return GF_OK;
}

static void add_signal(struct buffer *text, const struct two_signals *p, int i)
{
    buffer_printf(text, "%" PRId64 " frames of %d channel%s", p->frames[i], p->info[i]->channels,
                  p->info[i]->channels == 1 ? "" : "s");
    buffer_printf(text, p->info[i]->rate > 0 ? " at %.10g Hz\n" : "\n", p->info[i]->rate);
}

static void add_place(struct buffer *text, const gf_compare_place *place)
{
    buffer_printf(text, "frame %" PRId64 " of channel %d: %.9g and %.9g\n", place->x, place->channel + 1,
                  place->a, place->b);
}

static void add_text(struct buffer *text, const struct criteria *criteria, const struct two_signals *p,
                     const char *form, bool within)
{
    const gf_comparison *c = &p->c;
    compare_add_names(text, criteria);
    if (form) {
        buffer_printf(text, " differ in %s:\n", form);
        for (int i = 0; i < 2; i++) {
            buffer_add(text, "  ");
            add_signal(text, p, i);
        }
        return;
    }
    buffer_add(text, c->identical ? " are equal: "
                     : within     ? " are equal within the tolerance: "
                                  : " differ: ");
    add_signal(text, p, 0);
    if (!c->identical) {
        buffer_printf(text, "  differing  %" PRIu64 " of %" PRIu64 " samples (%.3g%%) by more than %.10g\n",
                      c->count, c->samples, 100 * (double)c->count / (double)c->samples, c->max_diff);
        buffer_printf(text, "  largest    %.9g at ", c->largest);
        add_place(text, &c->most);
        buffer_printf(text, "  rms        %.6g\n", sqrt(p->squares / (double)c->samples));
        buffer_printf(text, "  SNR        %.2f dB\n", c->psnr);
        if (c->count > 0) {
            buffer_add(text, "  first      ");
            add_place(text, &c->first);
        }
    }
}

static void json_place(struct buffer *text, const char *name, bool there, const gf_compare_place *place)
{
    buffer_printf(text, ",\"%s\":", name);
    if (!there) {
        buffer_add(text, "null");
        return;
    }
    buffer_printf(text, "{\"frame\":%" PRId64 ",\"channel\":%d", place->x, place->channel + 1);
    compare_json_measure(text, "a", place->a);
    compare_json_measure(text, "b", place->b);
    buffer_add(text, "}");
}

static void add_json(struct buffer *text, const struct criteria *criteria, const struct two_signals *p,
                     const char *form, bool within)
{
    const gf_comparison *c = &p->c;
    buffer_printf(text, "{\"equal\":%s,\"identical\":%s,\"reason\":%s%s%s", within ? "true" : "false",
                  !form && c->identical ? "true" : "false", form ? "\"" : "", form ? form : "null",
                  form ? "\"" : "");
    for (int i = 0; i < 2; i++) {
        buffer_printf(text, ",\"%s\":{\"path\":", i ? "b" : "a");
        buffer_json_text(text, criteria->paths[i]);
        buffer_printf(text, ",\"frames\":%" PRId64 ",\"channels\":%d,\"rate\":%.17g}", p->frames[i],
                      p->info[i]->channels, p->info[i]->rate);
    }
    if (!form) {
        const double samples = c->samples > 0 ? (double)c->samples : 1;
        buffer_printf(text, ",\"samples\":%" PRIu64 ",\"count\":%" PRIu64, c->samples, c->count);
        compare_json_measure(text, "share", (double)c->count / samples);
        compare_json_measure(text, "max_diff", c->largest);
        compare_json_measure(text, "rms", sqrt(p->squares / samples));
        compare_json_measure(text, "snr", c->psnr);
        json_place(text, "first", c->count > 0, &c->first);
        json_place(text, "largest", !c->identical, &c->most);
    }
    buffer_add(text, "}\n");
}

static gf_status run(const struct criteria *criteria, struct two_signals *p, struct buffer *text,
                     bool *within)
{
    CLI_TRY(check_criteria(criteria));
    CLI_TRY(open_pair(criteria, p));
    const char *form = p->info[0]->channels != p->info[1]->channels ? "channels"
                       : p->info[0]->rate != p->info[1]->rate && p->info[0]->rate > 0 && p->info[1]->rate > 0
                           ? "rate"
                           : NULL;
    if (form) { /* what the headers say */
        p->frames[0] = p->info[0]->frames;
        p->frames[1] = p->info[1]->frames;
    } else {
        CLI_TRY(compare_all(p));
        form = p->frames[0] != p->frames[1] ? "frames" : NULL;
    }
    p->c.psnr = p->squares > 0 ? 10 * log10(p->power / p->squares) : INFINITY;
    *within = !form && criteria_allow(criteria, &p->c);
    (criteria->json ? add_json : add_text)(text, criteria, p, form, *within);
    return GF_OK;
}

gf_status compare_signals(const struct criteria *criteria, struct buffer *text, bool *within)
{
    struct two_signals p = {.frames = {0, 0}};
    const gf_status status = run(criteria, &p, text, within);
    for (int i = 0; i < 2; i++) {
        gf_signal_reader_close(&p.readers[i]);
        free(p.data[i]);
    }
    return status;
}
