/* Samples of large PNGs, which are inflated ahead of libpng, by ISA-L where the build has it: the verdict and
 * the pixels of libpng and zlib alone. Four bytes choose the picture and how it is cut into chunks; then
 * comes the stream, its checksum made right or not. */
#include "fuzz.h"

#include <zlib.h>

enum { MOST_RAW = (1 << 20) + 8192, HEAD = 4 };

/* Each of a MiB of samples and a little more, since fewer are not inflated ahead. */
static const struct {
    uint32_t width, height;
    uint8_t bits, type;
} kinds[] = {{1024, 1024, 8, 0}, {592, 592, 8, 2}, {2900, 2900, 1, 0}, {363, 363, 16, 6}};

static struct {
    uint8_t bytes[1 << 15];
    size_t size;
} file;

static void add(const void *bytes, size_t size)
{
    FUZZ_CHECK(size <= sizeof file.bytes - file.size, "%zu bytes more", size);
    memcpy(file.bytes + file.size, bytes, size);
    file.size += size;
}

static void add_number(uint32_t n)
{
    add((const uint8_t[4]){(uint8_t)(n >> 24), (uint8_t)(n >> 16), (uint8_t)(n >> 8), (uint8_t)n}, 4);
}

static void add_chunk(const char *name, const uint8_t *bytes, size_t size)
{
    const size_t begin = file.size + 4;
    add_number((uint32_t)size);
    add(name, 4);
    add(bytes, size);
    add_number((uint32_t)crc32(0, file.bytes + begin, (uInt)(file.size - begin)));
}

/* The checksum of what zlib makes of the stream, as far as it does. */
static uint32_t checksum_of(const uint8_t *stream, size_t size)
{
    static uint8_t raw[MOST_RAW];
    z_stream z = {.next_in = (Bytef *)(uintptr_t)stream,
                  .avail_in = (uInt)size,
                  .next_out = raw,
                  .avail_out = sizeof raw};
    FUZZ_CHECK(inflateInit2(&z, -15) == Z_OK, "zlib does not start");
    inflate(&z, Z_FINISH);
    const uint32_t sum = (uint32_t)adler32(1, raw, sizeof raw - z.avail_out);
    inflateEnd(&z);
    return sum;
}

/* Chunks of `part` bytes. */
static void add_samples(const uint8_t *bytes, size_t size, size_t part)
{
    for (size_t at = 0; at < size; at += part) {
        add_chunk("IDAT", bytes + at, size - at < part ? size - at : part);
    }
}

static void make_file(const uint8_t *data, size_t size)
{
    static uint8_t stream[1 << 13];
    const uint8_t *window = (const uint8_t *)"\x78\x01\x18\x19\x48\x89\x78\x9c" + data[1] % 4 * 2;
    const size_t part = data[2] == 0 ? sizeof stream : data[2];
    size_t length = size - HEAD;
    memcpy(stream, window, 2);
    memcpy(stream + 2, data + HEAD, length);
    const uint32_t sum = checksum_of(stream + 2, length) + (data[3] % 8 == 7);
    for (int i = 0; i < 4; i++) {
        stream[2 + length + i] = (uint8_t)(sum >> (24 - 8 * i));
    }
    file.size = 0;
    add("\x89PNG\r\n\x1a\n", 8);
    const size_t begin = file.size + 4;
    add_number(13);
    add("IHDR", 4);
    add_number(kinds[data[0] % 4].width);
    add_number(kinds[data[0] % 4].height);
    add((const uint8_t[5]){kinds[data[0] % 4].bits, kinds[data[0] % 4].type, 0, 0, 0}, 5);
    add_number((uint32_t)crc32(0, file.bytes + begin, (uInt)(file.size - begin)));
    add_samples(stream, length + 6, part < 16 && length > 512 ? 16 : part);
    add_chunk("IEND", (const uint8_t *)"", 0);
}

/* Reads from memory, where samples are inflated ahead, or through a function, where they are not. */
static gf_picture *read_file(int ahead, gf_error *error)
{
    struct fuzz_input input = {file.bytes, file.size, 0, sizeof file.bytes, 1, 2};
    const gf_byte_source source = {sizeof source, "bytes", file.size, fuzz_give, fuzz_again, &input};
    const gf_io_limits limits = GF_IO_LIMITS_INIT;
    gf_picture *picture = NULL;
    gf_reader *reader = NULL;
    gf_status status = ahead ? gf_reader_open_memory(file.bytes, file.size, "bytes", &limits, &reader, error)
                             : gf_reader_open_callback(&source, &limits, &reader, error);
    status = status == GF_OK ? gf_reader_picture(reader, &picture, error) : status;
    gf_reader_close(&reader);
    fuzz_status(status, error);
    return picture;
}

void fuzz_inflate(const uint8_t *data, size_t size)
{
    if (size <= HEAD || size > 1 << 12) {
        return;
    }
    make_file(data, size);
    gf_error ours = GF_ERROR_INIT, theirs = GF_ERROR_INIT;
    gf_picture *ahead = read_file(1, &ours), *plain = read_file(0, &theirs);
    FUZZ_CHECK(ours.code == theirs.code, "%d, %s; by libpng alone %d, %s", (int)ours.code, ours.message,
               (int)theirs.code, theirs.message);
    if (ahead != NULL) {
        fuzz_same_samples(&ahead->image, plain->image.data, plain->image.pitch);
    }
    gf_picture_destroy(&ahead);
    gf_picture_destroy(&plain);
}
