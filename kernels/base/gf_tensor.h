/* Products of bytes on tensor cores, by all lanes of a warp, in converged code. As in gf_ptx.h, each function
 * has a twin of the same result for the emulator. sm_75 has smaller products, four of which are one of sm_80.
 * Included by gf_cuda.h; not by itself. */
#pragma once

#if GF_PTX_ARCH && GF_PTX_ARCH < 750
#error "gf_tensor.h: the CUDA backend needs compute capability 7.5 or later; see CMAKE_CUDA_ARCHITECTURES"
#endif

/* Four matrices of 8 rows of 16 bytes in shared memory: lane l has the address of row l % 8 of matrix l / 8,
 * and gets bytes 4 (l % 4) to 4 (l % 4) + 3 of row l / 4 of each. */
GF_DEVICE_FN void gf_load_matrices(uint32_t (&words)[4], const void *row GF_AND_AT("gf_load_matrices"))
{
#if GF_PTX_ARCH
    const uint32_t from = static_cast<uint32_t>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(from)
                 : "memory");
#elif defined(GF_EMU)
    gf_emu_check_aligned(row, 16);
    const unsigned lane = gf_emu_self->index % 32;
    const uint64_t *rows = gf_emu_meet_warp(at, 0xffffffffu, reinterpret_cast<uintptr_t>(row));
    for (unsigned i = 0; i < 4; i++) {
        memcpy(&words[i], reinterpret_cast<const char *>(rows[8 * i + lane / 4]) + 4 * (lane % 4), 4);
    }
#else
    (void)row;
    (void)words;
#endif
}

/* sum += a * b: a of 16 rows and 32 columns of signed bytes, b of 32 rows and 8 columns. With g = l / 4 and t
 * = l % 4, lane l has bytes 4t to 4t + 3 of a's rows g (words 0, 2) and g + 8 (1, 3), in words 2 and 3 those
 * 16 columns on; the same rows of b's column g, in word 1 those 16 rows on; and columns 2t and 2t + 1 of the
 * sum's row g, then of row g + 8. Wraps. */
#define GF_TENSOR_PARAMETERS int32_t(&sum)[4], const uint32_t(&a)[4], uint32_t b0, uint32_t b1

#ifdef GF_EMU
/* B: the type of b's bytes. */
template <class B> GF_DEVICE_FN void gf_multiply_in_turn(GF_TENSOR_PARAMETERS GF_AND_AT("gf_multiply_bytes"))
{
    const uint32_t mine[6] = {a[0], a[1], a[2], a[3], b0, b1};
    const unsigned g = gf_emu_self->index % 32 / 4, t = gf_emu_self->index % 4;
    const uint64_t *lanes = gf_emu_meet_warp(at, 0xffffffffu, reinterpret_cast<uintptr_t>(mine), true);
    for (unsigned e = 0; e < 4; e++) {
        uint32_t all = static_cast<uint32_t>(sum[e]);
        for (unsigned part = 0; part < 8; part++) { /* four bytes each */
            const uint32_t *left = reinterpret_cast<const uint32_t *>(lanes[4 * g + part % 4]);
            const uint32_t *right = reinterpret_cast<const uint32_t *>(lanes[4 * (2 * t + e % 2) + part % 4]);
            for (unsigned shift = 0; shift < 32; shift += 8) {
                const int x = static_cast<int8_t>(left[part / 4 * 2 + e / 2] >> shift);
                all += static_cast<uint32_t>(x * static_cast<B>(right[4 + part / 4] >> shift));
            }
        }
        sum[e] = static_cast<int32_t>(all);
    }
    gf_emu_meet_warp(at, 0xffffffffu, 1, true); /* before anybody's words are gone */
}
#define GF_MULTIPLY(type, name) gf_multiply_in_turn<type>(sum, a, b0, b1 GF_HERE)
#elif GF_PTX_ARCH >= 800 && !defined(GF_TENSOR_SMALL) /* which a test defines, to run those of sm_75 */
#define GF_MULTIPLY(type, name)                                                                              \
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8." name ".s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "         \
        "{%8, %9}, {%0, %1, %2, %3};"                                                                        \
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])                                             \
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1))
#elif GF_PTX_ARCH
#define GF_MULTIPLY_PART(name, row, w, b)                                                                    \
    asm("mma.sync.aligned.m8n8k16.row.col.s32.s8." name ".s32 {%0, %1}, {%2}, {%3}, {%0, %1};"               \
        : "+r"(sum[row]), "+r"(sum[(row) + 1])                                                               \
        : "r"(a[w]), "r"(b))
#define GF_MULTIPLY(type, name)                                                                              \
    do {                                                                                                     \
        GF_MULTIPLY_PART(name, 0, 0, b0);                                                                    \
        GF_MULTIPLY_PART(name, 0, 2, b1);                                                                    \
        GF_MULTIPLY_PART(name, 2, 1, b0);                                                                    \
        GF_MULTIPLY_PART(name, 2, 3, b1);                                                                    \
    } while (0)
#else
#define GF_MULTIPLY(type, name) ((void)sum, (void)a, (void)b0, (void)b1)
#endif

/* Multiplies with signed bytes in b. */
GF_DEVICE_FN void gf_multiply_bytes(GF_TENSOR_PARAMETERS GF_AND_AT("gf_multiply_bytes"))
{
    GF_MULTIPLY(int8_t, "s8");
}

/* Multiplies with unsigned bytes in b. */
GF_DEVICE_FN void gf_multiply_bytes_su(GF_TENSOR_PARAMETERS GF_AND_AT("gf_multiply_bytes_su"))
{
    GF_MULTIPLY(uint8_t, "u8");
}

#undef GF_MULTIPLY
#undef GF_MULTIPLY_PART
#undef GF_TENSOR_PARAMETERS
