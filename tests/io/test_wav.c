/* WAV: every format of samples to the last bit, headers by hand, damage, pipes, sizes beyond 4 GiB, and calls
 * to the system that fail. Linked with -Wl,--wrap=write,--wrap=pwrite,--wrap=fsync,--wrap=rename,--wrap=read.
 */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "signal_help.h"

#include <errno.h>
#include <math.h>

/* ---- calls that fail ---- */

static int calls, fail_at, fail_with; /* fail_at 0: never */

static int fails(void)
{
    calls++;
    errno = fail_with;
    return fail_at != 0 && (fail_with == EINTR ? calls == fail_at : calls >= fail_at);
}

/* Declares __wrap_NAME, which fails as it is told. */
#define WRAP(type, name, parameters, arguments)                                                              \
    type __real_##name parameters;                                                                           \
    type __wrap_##name parameters;                                                                           \
    type __wrap_##name parameters                                                                            \
    {                                                                                                        \
        return fails() ? -1 : __real_##name arguments;                                                       \
    }

WRAP(ssize_t, write, (int fd, const void *bytes, size_t size), (fd, bytes, size))
WRAP(ssize_t, pwrite, (int fd, const void *bytes, size_t size, off_t at), (fd, bytes, size, at))
WRAP(ssize_t, read, (int fd, void *bytes, size_t size), (fd, bytes, size))
WRAP(int, fsync, (int fd), (fd))
WRAP(int, rename, (const char *from, const char *to), (from, to))

/* ---- files by hand ---- */

static unsigned char made[4096];
static size_t made_size;

static void add(const void *bytes, size_t size)
{
    memcpy(made + made_size, bytes, size);
    made_size += size;
}

static void add_number(uint64_t value, int size)
{
    for (int i = 0; i < size; i++) {
        made[made_size++] = (unsigned char)(value >> (8 * i));
    }
}

static void add_chunk(const char *name, uint64_t size)
{
    add(name, 4);
    add_number(size, 4);
}

static void begin_wav(const char *riff, uint64_t size)
{
    made_size = 0;
    add_chunk(riff, size);
    add("WAVE", 4);
}

static void add_format(int tag, int channels, int bits, int bytes)
{
    add_chunk("fmt ", 16);
    add_number((uint64_t)tag, 2);
    add_number((uint64_t)channels, 2);
    add_number(8000, 4);
    add_number((uint64_t)(8000 * channels * bytes), 4);
    add_number((uint64_t)(channels * bytes), 2);
    add_number((uint64_t)bits, 2);
}

static void add_extensible(int channels, int bits, int valid, int tag)
{
    add_format(0xfffe, channels, bits, bits / 8);
    made[made_size - 20] = 40;
    add_number(22, 2);
    add_number((uint64_t)valid, 2);
    add_number(3, 4);
    add_number((uint64_t)tag, 2);
    add("\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71", 14);
}

/* The file made above is read as these samples of one channel, with this note. */
static void check_made(const char *what, const float *expected, int64_t count, const char *note)
{
    struct heard heard;
    hear(made, made_size, NULL, NULL, 3, &heard);
    CHECK_MSG(heard.status == GF_OK, "%s: %s", what, heard.error.message);
    CHECK_MSG(heard.frames * heard.info.channels == count, "%s: %d frames", what, (int)heard.frames);
    for (int64_t i = 0; i < count && heard.frames * heard.info.channels == count; i++) {
        CHECK_MSG(heard.data[i] == expected[i], "%s: sample %d is %.9g, not %.9g", what, (int)i,
                  heard.data[i], expected[i]);
    }
    CHECK_MSG(strcmp(heard.note, note) == 0, "%s: note \"%s\"", what, heard.note);
    forget(&heard);
}

static void check_bad(const char *what, const char *text)
{
    struct heard heard;
    hear(made, made_size, "x", NULL, 100, &heard);
    CHECK_MSG(heard.status == GF_ERROR_INPUT && strncmp(heard.error.message, "x: ", 3) == 0 &&
                  strstr(heard.error.message, text),
              "%s: %d %s", what, (int)heard.status, heard.error.message);
    forget(&heard);
}

static const float four[] = {-1, 0.5f, 0, -0x1p-15f};
static const char four_s16[] = "\0\x80\0\x40\0\0\xff\xff";

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
        CHECK(other.info.rate == 8000 && other.info.channels == channels && other.info.speakers == 0);
        free(out.at);
    }
    forget(&heard);
    forget(&other);
    free(file);
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

/* ---- damage ---- */

static void refusals(void)
{
    static const struct {
        int tag, channels, bits, bytes;
        const char *text;
    } formats[] = {{6, 1, 8, 1, "format 6 (A-law)"},  {7, 1, 8, 1, "(mu-law)"},
                   {2, 1, 4, 1, "(ADPCM)"},           {99, 1, 8, 1, "(unknown)"},
                   {1, 0, 16, 2, "0 channels"},       {1, 1025, 16, 2, "1025 channels"},
                   {1, 1, 0, 0, "PCM of 0 bits"},     {1, 1, 40, 5, "PCM of 40 bits"},
                   {3, 1, 16, 2, "float of 16 bits"}, {1, 2, 16, 4, "contradicts itself"}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        begin_wav("RIFF", 44);
        add_format(formats[i].tag, formats[i].channels, formats[i].bits, formats[i].bytes);
        add_chunk("data", 8);
        add(four_s16, 8);
        check_bad(formats[i].text, formats[i].text);
    }
    begin_wav("RIFF", 44);
    add_chunk("data", 8);
    add(four_s16, 8);
    check_bad("no fmt", "before the fmt");
    begin_wav("RIFF", 44);
    add_format(1, 1, 16, 2);
    add_format(1, 1, 16, 2);
    check_bad("two fmt", "two fmt");
    begin_wav("RIFF", 44);
    add("fmt \x0e\0\0\0", 8);
    check_bad("a short fmt", "too short");
    begin_wav("RIFX", 44);
    check_bad("RIFX", "RIFX");
    begin_wav("RIFF", 44);
    add("\0\1\2\3\4\5\6\7", 8);
    check_bad("no chunk", "what should be a chunk is none");
    begin_wav("RIFF", 44);
    add_extensible(1, 16, 17, 1);
    add_chunk("data", 8);
    check_bad("17 of 16 bits", "17 of them valid");
    begin_wav("RIFF", 44);
    add_extensible(1, 16, 16, 1);
    made[made_size - 1] = 0;
    check_bad("another GUID", "EXTENSIBLE");
    begin_wav("RIFF", 44);
    add_format(1, 1, 16, 2);
    add_chunk("LIST", 0xfffffff0);
    add_chunk("data", 2);
    check_bad("a chunk of 4 GiB", "ends early (in chunk LIST)");
}

/* Reads a cut or spoiled file in both ways: the whole signal, or an error and what came before it. */
static void check_spoiled(const unsigned char *bytes, size_t size, const struct heard *sound,
                          const char *what)
{
    struct heard heard;
    struct bytes input = {(unsigned char *)(uintptr_t)bytes, size, 0, 7, 0};
    const gf_byte_source source = {sizeof source, "x", 0, give_bytes, give_again, &input};
    gf_signal_reader *reader = NULL;
    hear(bytes, size, "x", NULL, 5, &heard);
    gf_error error = GF_ERROR_INIT;
    const bool opened = gf_signal_reader_open_callback(&source, NULL, &reader, &error) == GF_OK;
    CHECK_MSG(heard.status == GF_OK ||
                  (heard.status == GF_ERROR_INPUT && strncmp(heard.error.message, "x: ", 3) == 0),
              "%s: %d %s", what, (int)heard.status, heard.error.message);
    if (opened) {
        struct heard streamed = {.error = GF_ERROR_INIT};
        hear_reader(reader, 4, &streamed);
        CHECK_MSG(streamed.status == heard.status, "%s: %s", what, streamed.error.message);
        if (sound != NULL) {
            CHECK_MSG(heard.status != GF_OK || heard.frames == sound->frames, "%s: part of it is no error",
                      what);
            CHECK_MSG(streamed.frames <= sound->frames, "%s: too many frames", what);
            for (int32_t c = 0; c < sound->info.channels; c++) {
                CHECK(streamed.frames == 0 ||
                      memcmp(streamed.data + c * streamed.frames, sound->data + c * sound->frames,
                             (size_t)streamed.frames * 4) == 0);
            }
        }
        forget(&streamed);
    } else {
        CHECK_MSG(heard.status != GF_OK && error.code == GF_ERROR_INPUT, "%s: %s", what, error.message);
    }
    gf_signal_reader_close(&reader);
    forget(&heard);
}

static void make_one(struct heard *sound)
{
    begin_wav("RIFF", 100);
    add("LIST\x03\0\0\0abc\0", 12);
    add_extensible(2, 24, 24, 1);
    add_chunk("data", 30);
    for (int i = 0; i < 30; i++) {
        add_number((uint64_t)(i * 37), 1);
    }
    add("bext\x04\0\0\0abcd", 12);
    hear(made, made_size, NULL, NULL, 100, sound);
}

static void every_cut(void)
{
    struct heard sound;
    make_one(&sound);
    CHECK(sound.status == GF_OK && sound.frames == 5 && sound.info.speakers == 3);
    for (size_t cut = 0; cut < made_size; cut++) {
        char what[32];
        snprintf(what, sizeof what, "%d bytes", (int)cut);
        check_spoiled(made, cut, &sound, what);
    }
    forget(&sound);
}

static void bytes_at_random(void)
{
    struct heard sound;
    uint32_t state = 5;
    make_one(&sound);
    unsigned char *good = malloc(made_size);
    memcpy(good, made, made_size);
    for (int i = 0; i < 20000; i++) {
        const size_t size = i % 3 ? made_size : draw(&state) % (made_size + 1);
        for (unsigned n = 1 + draw(&state) % 4; n > 0; n--) {
            made[draw(&state) % made_size] =
                (unsigned char)(draw(&state) % 3 ? draw(&state) : 0xff * (draw(&state) & 1));
        }
        unsigned char *exact = malloc(size + 1); /* a read beyond it is seen */
        memcpy(exact + 1, made, size);
        struct heard heard;
        hear(exact + 1, size, "x", NULL, 9, &heard);
        CHECK_MSG(heard.status == GF_OK || heard.status == GF_ERROR_INPUT, "%s", heard.error.message);
        forget(&heard);
        free(exact);
        memcpy(made, good, made_size);
    }
    free(good);
    forget(&sound);
}

/* ---- where it goes ---- */

static void beyond_4_gib(void)
{
    struct bytes out = {NULL, 0, 0, 0, 0};
    gf_error error = GF_ERROR_INIT;
    gf_signal_write_options options = GF_SIGNAL_WRITE_OPTIONS_INIT;
    gf_signal_writer *writer = NULL;
    const gf_byte_sink sink = {sizeof sink, NULL, take_bytes, &out};
    static float silence[1 << 16];
    options.format = "wav";
    options.sample = GF_SIGNAL_S16;
    options.frames = INT64_C(1) << 40;
    REQUIRE(gf_signal_writer_open_callback(&sink, 2, 8000, &options, &writer, &error) == GF_OK);
    for (int i = 0; i < 3 && out.size == 0; i++) {
        CHECK_EQ_INT(gf_signal_writer_write(writer, silence, 1 << 15, 1 << 15, &error), GF_OK);
    }
    CHECK_EQ_INT(gf_signal_writer_commit(&writer, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "1099511627776 frames were promised");
    REQUIRE(out.size > 80);
    CHECK(memcmp(out.at, "RF64\xff\xff\xff\xffWAVEds64", 16) == 0 &&
          memcmp(out.at + 72, "data\xff\xff\xff\xff", 8) == 0);
    out.portion = 1000;
    const gf_byte_source source = {sizeof source, NULL, 0, give_bytes, NULL, &out};
    gf_signal_reader *reader = NULL;
    REQUIRE(gf_signal_reader_open_callback(&source, NULL, &reader, &error) == GF_OK);
    CHECK_EQ_INT(gf_signal_reader_info(reader)->frames, INT64_C(1) << 40);
    CHECK_EQ_INT(gf_signal_reader_again(reader, &error), GF_ERROR_UNSUPPORTED);
    gf_signal_reader_close(&reader);
    free(out.at);
}

static void files(void)
{
    float data[] = {0.25f, -0.5f, 1, 0, 0.125f, 0.5f};
    gf_error error = GF_ERROR_INIT;
    gf_signal_writer *writer = NULL;
    gf_signal_reader *reader = NULL;
    size_t size = 0;
    REQUIRE(gf_signal_writer_open(in_folder("a.wav"), 2, 44100, NULL, &writer, &error) == GF_OK);
    CHECK_EQ_INT(gf_signal_writer_write(writer, data, 3, 2, &error), GF_OK);
    gf_signal_writer_abort(&writer);
    CHECK_EQ_INT(count_entries(help_folder), 0);
    REQUIRE(gf_signal_writer_open(in_folder("a.wav"), 2, 44100, NULL, &writer, &error) == GF_OK);
    CHECK_EQ_INT(gf_signal_writer_write(writer, data, 3, 2, &error), GF_OK);
    CHECK_EQ_INT(gf_signal_writer_write(writer, data + 2, 3, 1, &error), GF_OK);
    CHECK_EQ_INT(gf_signal_writer_commit(&writer, &error), GF_OK);
    CHECK(writer == NULL && count_entries(help_folder) == 1);
    unsigned char *bytes = get_file(in_folder("a.wav"), &size);
    CHECK(size == 94 + 24 && memcmp(bytes + 4, "\x6e\0\0\0WAVEJUNK", 12) == 0);
    free(bytes);
    REQUIRE(gf_signal_reader_open(in_folder("a.wav"), NULL, &reader, &error) == GF_OK);
    for (int time = 0; time < 3; time++) {
        struct heard heard = {.error = GF_ERROR_INIT};
        hear_reader(reader, 2, &heard);
        CHECK(heard.status == GF_OK && heard.frames == 3 && memcmp(heard.data, data, sizeof data) == 0);
        forget(&heard);
        CHECK_EQ_INT(gf_signal_reader_again(reader, &error), GF_OK);
    }
    CHECK(put_file(in_folder("a.wav"), "x", 1));
    CHECK_EQ_INT(gf_signal_reader_again(reader, &error), GF_ERROR_INPUT);
    gf_signal_reader_close(&reader);
    CHECK_EQ_INT(gf_signal_writer_open(in_folder("none/a.wav"), 2, 44100, NULL, &writer, &error),
                 GF_ERROR_OUTPUT);
    CHECK(writer == NULL);
    unlink(in_folder("a.wav"));
}

/* Functions that fail, at every one of their calls. */
static void functions_that_fail(void)
{
    static float data[60000];
    gf_error error = GF_ERROR_INIT;
    struct bytes whole = {NULL, 0, 0, 0, 0};
    for (size_t i = 0; i < 60000; i++) {
        data[i] = (float)i / 60000;
    }
    CHECK_EQ_INT(say(data, 2, 30000, 8000, NULL, 1000, &whole, &error), GF_OK);
    for (size_t at = 1; at < whole.size; at += 20000) {
        struct bytes out = {NULL, 0, 0, 0, at};
        CHECK_EQ_INT(say(data, 2, 30000, 8000, NULL, 1000, &out, &error), GF_ERROR_OUTPUT);
        CHECK_STR_HAS(error.message, "sink");
        free(out.at);
        struct bytes in = {whole.at, whole.size, 0, 5000, at};
        const gf_byte_source source = {sizeof source, "source", 0, give_bytes, NULL, &in};
        gf_signal_reader *reader = NULL;
        struct heard heard = {.error = GF_ERROR_INIT};
        REQUIRE(gf_signal_reader_open_callback(&source, NULL, &reader, &error) == GF_OK);
        hear_reader(reader, 1000, &heard);
        CHECK_EQ_INT(heard.status, GF_ERROR_INPUT);
        CHECK_STR_HAS(heard.error.message, "source");
        CHECK(memcmp(heard.data, data, (size_t)heard.frames * 4) == 0);
        gf_signal_reader_close(&reader);
        forget(&heard);
    }
    free(whole.at);
}

/* A WAV is written, and read. */
static gf_status write_and_read(const float *data, int64_t *frames, gf_error *error)
{
    gf_signal_writer *writer = NULL;
    gf_signal_reader *reader = NULL;
    static float back[60000];
    gf_status status = gf_signal_writer_open(in_folder("a.wav"), 2, 44100, NULL, &writer, error);
    status = status == GF_OK ? gf_signal_writer_write(writer, data, 30000, 30000, error) : status;
    status = status == GF_OK ? gf_signal_writer_commit(&writer, error) : status;
    gf_signal_writer_abort(&writer);
    if (status == GF_OK) {
        *frames = 0;
        status = gf_signal_reader_open(in_folder("a.wav"), NULL, &reader, error);
        status = status == GF_OK ? gf_signal_reader_read(reader, back, 30000, 30000, frames, error) : status;
        gf_signal_reader_close(&reader);
        CHECK(status != GF_OK || memcmp(back, data, sizeof back) == 0);
    }
    return status;
}

/* Every call to the system fails in turn, from there on, or once as after a signal. */
static void calls_that_fail(void)
{
    static float data[60000];
    for (size_t i = 0; i < 60000; i++) {
        data[i] = (float)i / 60000;
    }
    for (fail_with = EIO; fail_with != 0; fail_with = fail_with == EIO ? EINTR : 0) {
        for (int at = 1; at < 100; at++) {
            gf_error error = GF_ERROR_INIT;
            int64_t frames = -1;
            unlink(in_folder("a.wav"));
            calls = 0;
            fail_at = at;
            const gf_status status = write_and_read(data, &frames, &error);
            fail_at = 0;
            const bool reached = calls >= at;
            const bool renamed = status == GF_OK || status == GF_ERROR_INPUT ||
                                 strstr(error.message, "its folder cannot be synced");
            CHECK_MSG(!reached || fail_with == EINTR
                          ? status == GF_OK || strstr(error.message, "in place") != NULL
                          : status == GF_ERROR_OUTPUT || status == GF_ERROR_INPUT,
                      "call %d: %d %s", at, (int)status, error.message);
            CHECK_MSG(count_entries(help_folder) == renamed, "call %d: %s: something is left", at,
                      error.message);
            if (!reached) {
                CHECK_MSG(at > 8, "only %d calls", at);
                break;
            }
        }
    }
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"headers by hand", headers_by_hand},
    {"RF64 and Wave64", large_forms},
    {"sizes that nobody knew", without_a_size},
    {"every sample there and back", every_sample_there_and_back},
    {"rounding", rounding},
    {"what is refused", refusals},
    {"every cut", every_cut},
    {"bytes at random", bytes_at_random},
    {"beyond 4 GiB", beyond_4_gib},
    {"files", files},
    {"functions that fail", functions_that_fail},
    {"calls that fail", calls_that_fail},
};

CHECK_MAIN(cases)
