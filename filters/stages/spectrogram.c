/* spectrogram: a picture of which frequencies a signal has when. */
#include "signal/measure.h"
#include "signal/stft_stage.h"

struct spectrogram {
    struct gf_stft_stage segment;
    int32_t scale; /* as in gf_signal_spectrogram */
    double range, top;
};

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct spectrogram *p = params;
    struct gf_signal_spectrogram args = {.channels = gf_signal_lower_channels(l),
                                         .scale = p->scale,
                                         .slope = GF_DECIBELS_OF_LOG2 / p->range,
                                         .offset = 1 - p->top / p->range};
    gf_signal_lower_stft(l, &p->segment, 0, &gf_signal_spectrogram, NULL, &args, sizeof args);
}

GF_PARAMS(GF_STFT_ROWS("0.75"),
          {GF_ROW(CHOICE, spectrogram, scale, "db"), .choices = "db|power|magnitude",
           .help = "what a pixel is: dB from black to white, the power, or its root"},
          {GF_ROW_IN(NUMBER, spectrogram, range, "100", 1, 1000), .unit = "dB",
           .help = "how far black is below white"},
          {GF_ROW_IN(NUMBER, spectrogram, top, "0", -1000, 1000), .unit = "dB",
           .help = "what is white; a tone from -1 to 1 has -3 dB"});

GF_EXAMPLES({"spectrogram", "what a recording is made of, as PNG of 8 bits a sample"},
            {"mix:mono,spectrogram:2048:hop=480:range=80",
             "one picture of all channels, a hundred columns a second at 48 kHz"});

const gf_stage_type gf_stage_spectrogram = {
    GF_STAGE_OF(spectrogram),
    .group = "signal",
    .flags = GF_STAGE_PICTURE,
    .summary = "makes a picture of which frequencies a signal has when; the last stage",
    .use =
        "To see speech, songs of birds, machines that start: time goes to the right, frequency upwards. For "
        "one\nspectrum of the whole signal spectrum.",
    .source = "As scipy.signal.spectrogram (scaling='spectrum', detrend=False), turned upside down.",
    .formula =
        "Column m is the Fourier transform, in f32, of the frames from m hop on times the window; there is "
        "no\n"
        "column of less than a segment. Row 0 is the highest frequency, half the rate where frames is even,\n"
        "the last one 0 Hz: frames / 2 + 1 rows, channels below each other. The power is that of a tone,\n"
        "abs^2 / (sum of the window)^2, times 2 but for the last row and, where frames is even, the first.\n"
        "db: 1 + (10 log10(power) - top) / range, at least 0, so that 1 is\n"
        "white; above that f32 keeps it. OUT is a picture: f32 in .npy and .pfm, else u8, or as --depth "
        "says;\n"
        "all of it is held, 8 bytes a pixel, and 12 with --verify.",
    .signal = signal,
};
