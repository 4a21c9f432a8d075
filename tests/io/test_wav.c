/* WAV: headers by hand, files by other programs, and every format of samples to the last bit. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "wav_make.h"

#include <math.h>

static void headers_by_hand(void)
{
    begin_wav("RIFF", 44);
    add_format(1, 1, 16, 2);
    add_chunk("data", 8);
    add(four_s16, 8);
    check_made("the shortest", four, 4, "");
    add("LIST\x03\0\0\0abc\0bext\x02\0\0\0abLIST\0\0\0\0", 8 + 4 + 8 + 2 + 8);
    check_made("chunks behind", four, 4, "LIST: not kept; bext: not kept");
    add("junk at the end", 15);
    check_made("and none", four, 4,
               "LIST: not kept; bext: not kept; bytes behind the samples that are no chunk");

    begin_wav("RIFF", 44);
    add("cue \x01\0\0\0a\0JUNK\x02\0\0\0ab", 10 + 10);
    add_format(1, 1, 8, 1);
    add("fact\x04\0\0\0\x03\0\0\0", 12);
    add_chunk("data", 3);
    add("\0\x80\xff\0LIST\x01\0\0\0a", 4 + 9);
    check_made("chunks before, odd sizes", (const float[]){-1, 0, 127 / 128.0f}, 3,
               "cue : not kept; LIST: not kept");

    begin_wav("RIFF", 0);
    add_extensible(2, 24, 20, 1);
    add_chunk("data", 6);
    add("\0\0\x80\xf0\xff\x7f", 6);
    check_made("20 of 24 bits", (const float[]){-1, 1 - 0x1p-19f}, 2, "");
    begin_wav("RIFF", 0);
    add_extensible(1, 64, 64, 3);
    add_chunk("data", 8);
    add("\0\0\0\0\0\0\xf0\x3f", 8);
    check_made("f64 in the extensible form", (const float[]){1}, 1, "");
    begin_wav("RIFF", 0);
    add_format(1, 1, 12, 2);
    add_chunk("data", 2);
    add("\x10\x80", 2);
    check_made("12 bits", (const float[]){-1 + 0x1p-11f}, 1, "");
    begin_wav("RIFF", 0);
    add_format(1, 1, 32, 4);
    add_chunk("data", 8);
    add("\x40\0\0\x40\xc0\0\0\x40", 8); /* ties: 2^30 + 64, and 3 times 64 */
    check_made("s32 is rounded", (const float[]){0.5f, 0.5f + 0x1p-23f}, 2, "");
    begin_wav("RIFF", 38);
    add_format(1, 1, 16, 2);
    add_chunk("data", 0);
    check_made("no frames", four, 0, "");
    add("LIST\0\0\0\0", 8);
    check_made("no frames, and a chunk", four, 0, "LIST: not kept");
    begin_wav("RIFF", 36);
    add_format(1, 1, 16, 2);
    add_chunk("data", 3);
    add(four_s16, 3);
    check_made("half a frame more", four, 1, "data: 1 bytes behind the last frame left out");
}

/* Files by other programs, and their samples as SciPy 1.10.1 reads them, over full scale. */
static void files_by_others(void)
{
    static const struct {
        const char *what;
        size_t size;
        int64_t samples; /* of all channels, frame by frame */
        const char *bytes;
        float expected[6];
    } files[] = {
        {"SciPy, uint8",
         50,
         6,
         "RIFF*\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x02\x00\x22V\x00\x00\x44\xac\x00\x00\x02\x00"
         "\x08\x00\x64\x61ta\x06\x00\x00\x00\x8bJ\xe5\xf1\xa9\x41",
         {0.0859375f, -0.421875f, 0.7890625f, 0.8828125f, 0.3203125f, -0.4921875f}},
        {"SciPy, int16",
         56,
         6,
         "RIFF0\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x02\x00\x22V\x00\x00\x88X\x01\x00\x04\x00\x10"
         "\x00\x64\x61ta\x0c\x00\x00\x00\x95\xea&/\xbcM\xaf\x65\x62y\x0a\x14",
         {-0.167327880859375f, 0.36834716796875f, 0.6072998046875f, 0.794403076171875f, 0.94830322265625f,
          0.15655517578125f}},
        {"SciPy, int32",
         68,
         6,
         "RIFF<\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x02\x00\x22V\x00\x00\x10\xb1\x02\x00\x08\x00 "
         "\x00\x64\x61ta\x18\x00\x00\x00_V\x93\x46\x42'jU\xab-\xa7\xb9\x45Q7\x8e\x99\xb2\xd7\xcc\x34'\xfa"
         "\xc8",
         {0.5513713955879211f, 0.6673020720481873f, -0.5495856404304504f, -0.8889368176460266f,
          -0.3996674418449402f, -0.42986592650413513f}},
        {"SciPy, float32",
         82,
         6,
         "RIFFJ\x00\x00\x00WAVEfmt \x12\x00\x00\x00\x03\x00\x02\x00\x22V\x00\x00\x10\xb1\x02\x00\x08\x00 "
         "\x00\x00\x00\x66\x61\x63t\x04\x00\x00\x00\x03\x00\x00\x00\x64\x61ta\x18\x00\x00\x00\x8f\xc2u="
         "\x1f\x85\xab\x3fm\xe7\xfb\xbeR\xb8\x1e\xbfH\xe1\xfa>\xb4\xc8\xb6>",
         {0.05999999865889549f, 1.340000033378601f, -0.492000013589859f, -0.6200000047683716f,
          0.49000000953674316f, 0.3569999933242798f}},
        {"SciPy, float64",
         106,
         6,
         "RIFFb\x00\x00\x00WAVEfmt \x12\x00\x00\x00\x03\x00\x02\x00\x22V\x00\x00 b\x05\x00\x10\x00@\x00"
         "\x00\x00\x66\x61\x63t\x04\x00\x00\x00\x03\x00\x00\x00\x64\x61ta0\x00\x00\x00\xe1z\x14\xaeG\xe1"
         "\xba\x3f\xc3\xf5(\x5c\x8f\xc2\xed\xbf\x19\x04V\x0e-\xb2\x9d\xbf=\x0a\xd7\xa3p=\xe6\x3f\x1b/\xdd$"
         "\x06\x81\xf5\xbf\x1dZd;\xdfO\xdd\xbf",
         {0.10499999672174454f, -0.9300000071525574f, -0.028999999165534973f, 0.6949999928474426f,
          -1.343999981880188f, -0.4580000042915344f}},
        {"Python's wave, 24 bits",
         53,
         3,
         "RIFF-\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x22V\x00\x00\x66\x02\x01\x00\x03\x00"
         "\x18\x00\x64\x61ta\x09\x00\x00\x00\xd7\x32\xa1\xdf\xb7/E\xb3R",
         {-0.7406359910964966f, 0.3727988004684448f, 0.646095871925354f}},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct heard heard;
        hear(files[i].bytes, files[i].size, NULL, NULL, 2, &heard);
        CHECK_MSG(heard.status == GF_OK && heard.info.rate == 22050 &&
                      heard.frames * heard.info.channels == files[i].samples,
                  "%s: %s", files[i].what, heard.error.message);
        for (int64_t k = 0; k < files[i].samples && heard.frames > 0; k++) {
            const int64_t c = k % heard.info.channels, at = c * heard.frames + k / heard.info.channels;
            CHECK_MSG(heard.data[at] == files[i].expected[k], "%s: sample %d is %.9g", files[i].what, (int)k,
                      heard.data[at]);
        }
        CHECK_STR(heard.note, "");
        forget(&heard);
    }
}

static void large_forms(void)
{
    begin_wav("RF64", 0xffffffff);
    add_chunk("ds64", 28);
    add_number(100, 8);
    add_number(8, 8);
    add_number(4, 8);
    add_number(0, 4);
    add_format(1, 1, 16, 2);
    add_chunk("data", 0xffffffff);
    add(four_s16, 8);
    add("LIST\0\0\0\0", 8);
    check_made("RF64", four, 4, "LIST: not kept");
    memset(made + 28, 0xff, 8);
    made[35] = 0x7f; /* more than there can be */
    check_bad("RF64 of a size that is none", "impossible size");
    memset(made + 28, 0xff, 4);
    memset(made + 32, 0, 4);
    made[32] = 1;
    check_bad("RF64 of 8 GiB", "4294967287 of 4294967295 frames are missing");

    static const char w64[] = "\xf3\xac\xd3\x11\x8c\xd1\0\xc0\x4f\x8e\xdb\x8a";
    made_size = 0;
    add("riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\0\0", 16);
    add_number(200, 8);
    add("wave", 4);
    add(w64, 12);
    add("junk", 4);
    add(w64, 12);
    add_number(25, 8);
    add("abcdefgh", 8);
    add("fmt ", 4);
    add(w64, 12);
    add_number(24 + 16, 8);
    add("\1\0\1\0\x40\x1f\0\0\x80\x3e\0\0\2\0\x10\0", 16);
    add("data", 4);
    add(w64, 12);
    add_number(24 + 6, 8);
    const size_t data = made_size;
    add(four_s16, 6);
    add("\0\0", 2);
    add("list", 4);
    add(w64, 12);
    add_number(24, 8);
    check_made("Wave64", four, 3, "list: not kept");
    made_size = data + 5;
    check_bad("Wave64, cut", "1 of 3 frames are missing");
    made[data - 8] = 1; /* a size below that of the header */
    check_bad("Wave64 with a chunk of 1 byte", "what should be a chunk is none");
}

/* Sizes that nobody knew: read to the end. */
static void without_a_size(void)
{
    static const uint32_t riff[] = {0, 0xffffffff, 44, 0x7ffff024, 0x80000024};
    static const uint32_t data[] = {0, 0xffffffff, 0xffffffff, 0x7ffff000, 0x80000000};
    for (int i = 0; i < 5; i++) {
        begin_wav("RIFF", riff[i]);
        add_format(1, 1, 16, 2);
        add_chunk("data", data[i]);
        add(four_s16, 8);
        check_made("streamed", four, 4, "data: was written without a size; read to the end of the file");
        made_size--;
        check_bad("half a frame", "ends within a frame");
    }
    begin_wav("RIFF", 0);
    add_format(1, 1, 24, 3);
    add_chunk("data", 0xffffffff);
    add("\0\0\x80\0", 4);
    check_made("streamed, with padding", four, 1,
               "data: was written without a size; read to the end of the file");
}

/* ---- every sample ---- */

static const struct {
    gf_signal_sample sample;
    int tag, bytes;
} stored[] = {{GF_SIGNAL_U8, 1, 1},  {GF_SIGNAL_S16, 1, 2}, {GF_SIGNAL_S24, 1, 3},
              {GF_SIGNAL_S32, 1, 4}, {GF_SIGNAL_F32, 3, 4}, {GF_SIGNAL_F64, 3, 8}};

/* Bytes of samples at random, such that f32 holds them. */
static void draw_samples(int kind, unsigned char *bytes, size_t count, uint32_t *state)
{
    for (size_t i = 0; i < count; i++) {
        unsigned char *s = bytes + i * (size_t)stored[kind].bytes;
        float narrow;
        for (int b = 0; b < stored[kind].bytes; b++) {
            s[b] = (unsigned char)draw(state);
        }
        if (stored[kind].sample == GF_SIGNAL_S32) {
            s[0] = 0; /* 24 bits are exact */
        } else if (stored[kind].sample == GF_SIGNAL_F64) {
            memcpy(&narrow, s, 4);
            const double wide = isnan(narrow) ? 1 : (double)narrow;
            memcpy(s, &wide, 8);
        }
    }
}

static void check_there_and_back(int kind, int channels, int64_t frames)
{
    const size_t samples = (size_t)channels * (size_t)frames, bytes = samples * (size_t)stored[kind].bytes;
    unsigned char *file = malloc(60 + bytes);
    uint32_t state = (uint32_t)(kind + channels + frames);
    struct heard heard, other;
    gf_signal_write_options options = GF_SIGNAL_WRITE_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    begin_wav("RIFF", 36 + bytes);
    add_format(stored[kind].tag, channels, 8 * stored[kind].bytes, stored[kind].bytes);
    add_chunk("data", bytes);
    memcpy(file, made, made_size);
    draw_samples(kind, file + made_size, samples, &state);
    hear(file, made_size + bytes, NULL, NULL, 1 + (int64_t)(draw(&state) % 5000), &heard);
    hear(file, made_size + bytes, NULL, NULL, frames + 1, &other);
    REQUIRE(heard.status == GF_OK && heard.frames == frames && heard.info.sample == stored[kind].sample);
    CHECK(memcmp(heard.data, other.data, samples * 4) == 0);
    for (int promised = 0; promised < 2; promised++) {
        struct bytes out = {NULL, 0, 0, 0, 0};
        options.sample = stored[kind].sample;
        options.speakers = 7; /* of three channels only */
        options.frames = promised ? frames : -1;
        CHECK_EQ_INT(say(heard.data, channels, frames, 8000, &options, 1 + (int64_t)(draw(&state) % 3000),
                         &out, &error),
                     GF_OK);
        const size_t odd = promised && bytes % 2 == 1;
        CHECK_MSG(out.size > bytes && memcmp(out.at + out.size - odd - bytes, file + made_size, bytes) == 0,
                  "%s, %d channels, %d frames: other bytes", gf_signal_sample_name(stored[kind].sample),
                  channels, (int)frames);
        forget(&other);
        hear(out.at, out.size, NULL, NULL, 4096, &other);
        CHECK(other.frames == frames && memcmp(heard.data, other.data, samples * 4) == 0);
        CHECK_EQ_INT(other.info.frames, promised ? frames : -1);
        CHECK(other.info.rate == 8000 && other.info.channels == channels &&
              other.info.speakers == (channels == 3 ? 7 : 0));
        free(out.at);
    }
    forget(&heard);
    forget(&other);
    free(file);
}

/* With the highest byte first: as RIFF, whatever there is of the GUID. */
static void rifx(void)
{
    static const char *const guids[] = {"\0\1\0\0\0\0\x10\0\x80\0", "\0\0\0\1\0\0\0\x10\x80\0"};
    static const char *const format = "fmt \0\0\0\x10\0\1\0\1\0\0\x1f\x40\0\0\x3e\x80\0\2\0\x10";
    made_size = 0;
    add("RIFX\0\0\0\x34WAVE", 12);
    add("LIST\0\0\0\1a\0", 10);
    add(format, 24);
    add("data\0\0\0\x08\x80\0\x40\0\0\0\xff\xff", 16);
    add("bext\0\0\0\2ab", 10);
    check_made("RIFX", four, 4, "LIST: not kept; bext: not kept");
    for (int i = 0; i < 2; i++) {
        made_size = 0;
        add("RIFX\0\0\0\0WAVE", 12);
        add("fmt \0\0\0\x28\xff\xfe\0\2\0\0\x1f\x40\0\0\xbb\x80\0\6\0\x18\0\x16\0\x14\0\0\0\3", 32);
        add(guids[i], 10);
        add("\0\xaa\0\x38\x9b\x71", 6);
        add("data\0\0\0\6\x80\0\0\x7f\xff\xf0", 14);
        check_made("RIFX, 20 of 24 bits", (const float[]){-1, 1 - 0x1p-19f}, 2, "");
    }
    made_size = 0;
    add("RIFX\0\0\0\0WAVE", 12);
    add("fmt \0\0\0\x10\0\1\0\1\0\0\x1f\x40\0\0\x1f\x40\0\1\0\x08", 24);
    add("data\0\0\0\3\0\x80\xff\0LIST\0\0\0\2ab", 12 + 10);
    check_made("RIFX of u8", (const float[]){-1, 0, 127 / 128.0f}, 3, "LIST: not kept");
}

static void every_sample_there_and_back(void)
{
    static const int channels[] = {1, 2, 3, 7, 1024};
    for (int kind = 0; kind < 6; kind++) {
        for (int c = 0; c < 5; c++) {
            check_there_and_back(kind, channels[c], 1);
            check_there_and_back(kind, channels[c], channels[c] > 100 ? 31 : 30011);
        }
    }
}

/* What f32 becomes where the file has fewer values: to nearest, ties to even, clamped, NaN 0. */
static void rounding(void)
{
    static const float in[] = {0.5f,   1.5f,   2.5f,    -0.5f, -1.5f, 0.49999997f, 126.5f,
                               127.4f, 127.5f, -128.5f, -129,  1e30f, -INFINITY,   NAN};
    static const int expected[] = {0, 2, 2, 0, -2, 0, 126, 127, 127, -128, -128, 127, -128, 0};
    static const struct {
        gf_signal_sample sample;
        int bits, bytes;
    } kinds[] = {{GF_SIGNAL_U8, 0, 1}, {GF_SIGNAL_S16, 8, 2}, {GF_SIGNAL_S24, 8, 3}, {GF_SIGNAL_S32, 8, 4}};
    enum { COUNT = sizeof in / sizeof *in };
    for (int k = 0; k < 4; k++) {
        float data[COUNT];
        struct bytes out = {NULL, 0, 0, 0, 0};
        gf_error error = GF_ERROR_INIT;
        gf_signal_write_options options = GF_SIGNAL_WRITE_OPTIONS_INIT;
        gf_signal_writer *writer = NULL;
        const gf_byte_sink sink = {sizeof sink, NULL, take_bytes, &out};
        options.sample = kinds[k].sample;
        options.bits = kinds[k].bits;
        options.format = "wav";
        for (int i = 0; i < COUNT; i++) {
            data[i] = in[i] / 128;
        }
        REQUIRE(gf_signal_writer_open_callback(&sink, 1, 8000, &options, &writer, &error) == GF_OK);
        CHECK_EQ_INT(gf_signal_writer_write(writer, data, COUNT, COUNT, &error), GF_OK);
        CHECK_EQ_INT(gf_signal_writer_clipped(writer), 5); /* 127.5, and from -129 on */
        CHECK_EQ_INT(gf_signal_writer_commit(&writer, &error), GF_OK);
        for (int i = 0; i < COUNT; i++) {
            const unsigned char *s = out.at + out.size - (size_t)((COUNT - i) * kinds[k].bytes);
            const int value = kinds[k].bytes == 1 ? s[0] - 128 : (signed char)s[kinds[k].bytes - 1];
            CHECK_MSG(value == expected[i], "%s: %g is %d", gf_signal_sample_name(kinds[k].sample), in[i],
                      value);
        }
        free(out.at);
    }
}

static const struct check_case cases[] = {
    {"headers by hand", headers_by_hand},
    {"files by other programs", files_by_others},
    {"RF64 and Wave64", large_forms},
    {"RIFX", rifx},
    {"sizes that nobody knew", without_a_size},
    {"every sample there and back", every_sample_there_and_back},
    {"rounding", rounding},
};

CHECK_MAIN(cases)
