/* spectrogram: a picture of which frequencies a signal has when. */
#include "design/mel_bands.h"
#include "signal/measure.h"
#include "signal/stft_stage.h"

struct spectrogram {
    struct gf_stft_stage segment;
    int32_t scale; /* as in gf_signal_spectrogram */
    double range, top;
    int64_t mel;
    int32_t formula;
    gf_span band;
};

/* Gives the segments bands. */
static void add_bands(gf_signal_lowering *l, const struct spectrogram *p, double rate, struct gf_stft *stft)
{
    double edge[GF_MEL_BANDS + 2];
    const double high = p->band.high > 0 ? p->band.high : rate / 2;
    gf_mel_edges((enum gf_mel_scale)p->formula, p->band.low, high, (int32_t)p->mel, edge);
    if (!gf_stft_make_mel(stft, edge, (int32_t)p->mel, rate)) {
        gf_signal_lower_failed(l, GF_ERROR_MEMORY, &(gf_error){.message = "out of memory"});
    }
}

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct spectrogram *p = params;
    const bool mel = p->mel != GF_AUTO;
    const double rate = mel ? gf_signal_lower_rate(l) : 0;
    struct gf_signal_spectrogram args = {.channels = gf_signal_lower_channels(l),
                                         .scale = p->scale,
                                         .bands = mel ? (int32_t)p->mel : 0,
                                         .slope = GF_DECIBELS_OF_LOG2 / p->range,
                                         .offset = 1 - p->top / p->range};
    if (!mel && (p->band.high > 0 || p->formula)) {
        gf_signal_lower_fail(l, p->formula ? "formula" : "band",
                             "band= and formula= are of mel=, which is not given");
    } else if (rate > 0 && (p->band.high > rate / 2 || p->band.low >= rate / 2)) {
        gf_signal_lower_fail(l, "band", "band ends at %.10g Hz, may end at half the rate, %.10g Hz",
                             p->band.high, rate / 2);
    }
    struct gf_stft *stft = gf_signal_lower_stft(
        l, &p->segment, 0, mel ? &gf_signal_mel : &gf_signal_spectrogram, NULL, &args, sizeof args);
    if (mel && stft) {
        add_bands(l, p, rate, stft);
    }
}

GF_PARAMS(
    GF_STFT_ROWS("0.75"),
    {GF_ROW(CHOICE, spectrogram, scale, "db"), .choices = "db|power|magnitude",
     .help = "what a pixel is: dB from black to white, the power, or its root"},
    {GF_ROW_IN(NUMBER, spectrogram, range, "100", 1, 1000), .unit = "dB",
     .help = "how far black is below white"},
    {GF_ROW_IN(NUMBER, spectrogram, top, "0", -1000, 1000), .unit = "dB",
     .help = "what is white; a tone from -1 to 1 has -3 dB"},
    {GF_ROW_IN(INT, spectrogram, mel, "off", 1, GF_MEL_BANDS), .auto_word = "off",
     .help = "rows are that many bands of the mel scale, which grow wider upwards"},
    {GF_ROW(CHOICE, spectrogram, formula, "slaney"), .choices = "slaney|htk",
     .help = "of mel: linear below 1 kHz, or 2595 log10(1 + f / 700)"},
    {GF_ROW_IN(SPAN, spectrogram, band, "", 0, 1e12), .unit = "Hz",
     .help = "of mel: where the first band begins and the last one ends; empty: 0 Hz and half the rate"});

GF_EXAMPLES({"spectrogram", "what a recording is made of, as PNG of 8 bits a sample"},
            {"mix:mono,spectrogram:2048:hop=480:range=80",
             "one picture of all channels, a hundred columns a second at 48 kHz"},
            {"spectrogram:time=25ms:hop=160:mel=80:band=20Hz-7.6kHz",
             "what recognises speech is fed with, at 16 kHz"});

const gf_stage_type gf_stage_spectrogram = {
    GF_STAGE_OF(spectrogram),
    .group = "signal",
    .flags = GF_STAGE_PICTURE,
    .summary = "makes a picture of which frequencies a signal has when; the last stage",
    .use =
        "To see speech, songs of birds, machines that start: time goes to the right, frequency upwards. For "
        "one\nspectrum of the whole signal spectrum.",
    .source = "As scipy.signal.spectrogram (scaling='spectrum', detrend=False), turned upside down; mel as "
              "librosa.filters.mel "
              "(norm=None).",
    .formula =
        "Column m is the Fourier transform, in f32, of the frames from m hop on times the window; there is "
        "no\n"
        "column of less than a segment. Row 0 is the highest frequency, half the rate where frames is even,\n"
        "the last one 0 Hz: frames / 2 + 1 rows, channels below each other. The power is that of a tone,\n"
        "abs^2 / (sum of the window)^2, times 2 but for the last row and, where frames is even, the first.\n"
        "db: 1 + (10 log10(power) - top) / range, at least 0, so that 1 is\n"
        "white; above that f32 keeps it. OUT is a picture: f32 in .npy and .pfm, else u8, or as --depth "
        "says;\n"
        "all of it is held, 8 bytes a pixel, and 12 with --verify. With mel a row is a band, the highest at "
        "the top, "
        "and its\npower the sum of those of its lines, times a triangle that is 1 in its middle and 0 in "
        "those of its\n"
        "neighbours: middles and ends lie at equal steps of mel. A band without a line, as low ones of "
        "short\nsegments are, has 0.",
    .signal = signal,
};
