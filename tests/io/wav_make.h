/* WAV files made by hand, a chunk at a time, and what reading them must give. */
#ifndef WAV_MAKE_H
#define WAV_MAKE_H

#include "signal_help.h"

static unsigned char made[4096];
static size_t made_size;

static inline void add(const void *bytes, size_t size)
{
    memcpy(made + made_size, bytes, size);
    made_size += size;
}

static inline void add_number(uint64_t value, int size)
{
    for (int i = 0; i < size; i++) {
        made[made_size++] = (unsigned char)(value >> (8 * i));
    }
}

static inline void add_chunk(const char *name, uint64_t size)
{
    add(name, 4);
    add_number(size, 4);
}

static inline void begin_wav(const char *riff, uint64_t size)
{
    made_size = 0;
    add_chunk(riff, size);
    add("WAVE", 4);
}

static inline void add_format(int tag, int channels, int bits, int bytes)
{
    add_chunk("fmt ", 16);
    add_number((uint64_t)tag, 2);
    add_number((uint64_t)channels, 2);
    add_number(8000, 4);
    add_number((uint64_t)(8000 * channels * bytes), 4);
    add_number((uint64_t)(channels * bytes), 2);
    add_number((uint64_t)bits, 2);
}

static inline void add_extensible(int channels, int bits, int valid, int tag)
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
static inline void check_made(const char *what, const float *expected, int64_t count, const char *note)
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

static inline void check_bad(const char *what, const char *text)
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

#endif
