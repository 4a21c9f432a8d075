/* WAV that is damaged, cut or coded in ways that are not read: the whole signal, or an error. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "wav_make.h"

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

/* The same of every other kind of header, and of an array. */
static void every_cut_of_every_kind(void)
{
    static const char npy[] = "\x93NUMPY\x01\0\x36\0{'descr': '<i2', 'fortran_order': False, 'shape': (4,)}";
    for (int kind = 0; kind < 5; kind++) {
        struct heard sound;
        begin_wav(kind == 1 ? "RF64" : "RIFF", kind == 1 ? 0xffffffff : 52);
        if (kind == 1) {
            add_chunk("ds64", 28);
            add_number(80, 8);
            add_number(8, 8);
            add_number(4, 8);
            add_number(0, 4);
        }
        add_format(kind == 2 ? 3 : 1, 1,
                   kind == 2   ? 64
                   : kind == 3 ? 8
                               : 16,
                   kind == 2   ? 8
                   : kind == 3 ? 1
                               : 2);
        add_chunk("data", kind == 1 ? 0xffffffff : 8);
        add(four_s16, 8);
        if (kind == 4) {
            made_size = 0;
            add(npy, sizeof npy - 1);
            made[8] = (unsigned char)(sizeof npy - 1 - 10);
            add(four_s16, 8);
        }
        hear(made, made_size, NULL, NULL, 100, &sound);
        CHECK_MSG(sound.status == GF_OK && sound.frames == (kind == 2   ? 1
                                                            : kind == 3 ? 8
                                                                        : 4),
                  "%d: %s", kind, sound.error.message);
        for (size_t cut = 0; cut < made_size; cut++) {
            struct heard heard;
            char what[48];
            snprintf(what, sizeof what, "kind %d, %d bytes", kind, (int)cut);
            check_spoiled(made, cut, &sound, what);
            hear(made, cut, "x", NULL, 100, &heard);
            CHECK_MSG(heard.status == GF_ERROR_INPUT, "%s is no error", what);
            forget(&heard);
        }
        forget(&sound);
    }
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

static const struct check_case cases[] = {
    {"what is refused", refusals},
    {"every cut", every_cut},
    {"every cut of every kind", every_cut_of_every_kind},
    {"bytes at random", bytes_at_random},
};

CHECK_MAIN(cases)
