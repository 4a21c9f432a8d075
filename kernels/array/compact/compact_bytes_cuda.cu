/* Bytes that stay: as compact_pass_cuda.cuh, but four bytes at a time. A lane packs the bytes it keeps with
 * byte permutes, and puts them where they belong in the tile in shared memory; when the place of the tile is
 * known, it is copied in words. */
#include "array/compact/compact_pass_cuda.cuh"

/* The entry of four bits: the permutation that moves the chosen bytes to the front and makes the others 0,
 * and above it their number. */
GF_DEVICE_FN uint32_t gf_pack_entry(uint32_t bits)
{
    uint32_t entry = 0x4444u, count = 0;
    for (uint32_t i = 0; i < 4; i++) {
        if ((bits >> i & 1) != 0) {
            entry = (entry & ~(0xfu << (4 * count))) | i << (4 * count);
            count++;
        }
    }
    return entry | count << 16;
}

/* Packs the chosen of a lane's 16 bytes to bytes place, place + 1, ... of `packed`, which is 0 there. Words
 * at the ends are shared with other lanes. */
GF_DEVICE_FN void gf_pack_lane(const uint32_t *words, uint32_t bits, uint32_t place, const uint32_t *table,
                               uint32_t *packed)
{
    GF_UNROLL
    for (int half = 0; half < 2; half++) {
        const uint32_t low = table[bits >> (8 * half) & 15], high = table[bits >> (8 * half + 4) & 15];
        const uint64_t eight = gf_byte_perm(words[2 * half], 0, low) |
                               uint64_t(gf_byte_perm(words[2 * half + 1], 0, high)) << (low >> 16) * 8;
        const uint32_t shift = place % 4 * 8;
        const uint64_t shifted = eight << shift;
        const uint32_t rest =
            static_cast<uint32_t>(eight >> 32 >> (31 - shift) >> 1); /* a shift by 32 is two */
        uint32_t *const to = packed + place / 4;
        if (static_cast<uint32_t>(shifted) != 0) {
            gf_atomic_or(to, static_cast<uint32_t>(shifted));
        }
        if (shifted >> 32 != 0) {
            gf_atomic_or(to + 1, static_cast<uint32_t>(shifted >> 32));
        }
        if (rest != 0) {
            gf_atomic_or(to + 2, rest);
        }
        place += (low >> 16) + (high >> 16);
    }
}

/* Copies n packed bytes to `out`, four at a time where `out` is aligned. By all threads. */
GF_DEVICE_FN void gf_copy_packed(const uint32_t *packed, uint32_t n, uint8_t *out)
{
    const uint32_t odd = (4 - static_cast<uint32_t>(reinterpret_cast<uintptr_t>(out) % 4)) % 4;
    const uint32_t head = odd < n ? odd : n, words = (n - head) / 4, tail = head + 4 * words;
    for (uint32_t w = gf_thread(); w < words; w += blockDim.x) {
        const uint64_t two = packed[w] | uint64_t(packed[w + 1]) << 32;
        gf_store4(out + head + 4 * w, static_cast<uint32_t>(two >> (head * 8)), GF_STREAM);
    }
    const uint8_t *const bytes = reinterpret_cast<const uint8_t *>(packed);
    if (gf_thread() < head) {
        out[gf_thread()] = bytes[gf_thread()];
    }
    if (tail + gf_thread() < n) {
        out[tail + gf_thread()] = bytes[tail + gf_thread()];
    }
}

/* Puts the tile in order in shared memory, then copies it in words. */
template <class Q, int K> struct gf_byte_writer {
    using params = gf_compact_params;
    static const int TABLE = 16, WORDS = Q::SIZE / 4 + 4; /* a copy reads a word beyond */
    static const size_t BYTES = size_t(WORDS) * 4;
    uint32_t *packed;
    const uint32_t *table;

    __device__ gf_byte_writer(void *shared, uint32_t *entries)
        : packed(static_cast<uint32_t *>(shared)), table(entries)
    {
        if (gf_thread() < TABLE) {
            entries[gf_thread()] = gf_pack_entry(gf_thread());
        }
        clear(WORDS);
    }

    __device__ __forceinline__ void clear(uint32_t words)
    {
        for (uint32_t w = gf_thread(); w < words; w += Q::THREADS) {
            packed[w] = 0;
        }
    }

    __device__ __forceinline__ void stage(const Q &queue, const uint32_t *rows, const uint32_t *lanes)
    {
        GF_UNROLL
        for (int k = 0; k < K; k++) {
            const uint4 own = queue.lane(0, k);
            const uint32_t words[4] = {own.x, own.y, own.z, own.w};
            gf_pack_lane(words, lanes[k] & 0xffffu, rows[gf_warp() * K + k] + (lanes[k] >> 16), table,
                         packed);
        }
    }

    __device__ __forceinline__ void write(const gf_compact_params &p, const Q &, const uint32_t *,
                                          const uint32_t *, uint64_t first, uint32_t kept)
    {
        const uint32_t room = gf_compact_room(p, first);
        if (room > 0) {
            gf_copy_packed(packed, room < kept ? room : kept, static_cast<uint8_t *>(p.out) + first);
        }
        __syncthreads();
        clear((kept + 3) / 4);
    }
};

template <int ROWS = GF_SCAN_ROWS, int K = 4, int BLOCKS = 2>
static gf_status gf_compact_bytes_launch(const struct gf_compact_call *call, gf_error *error)
{
    using queue = gf_tile_queue<uint8_t, 16, ROWS, K>;
    return gf_compact_queue<uint8_t, gf_byte_writer<queue, K>, queue, ROWS, K, BLOCKS>(call, {}, error);
}

extern "C" gf_status gf_compact_bytes_cuda(const struct gf_compact_call *call, gf_error *error)
{
    return gf_compact_bytes_launch(call, error);
}
