/* SHA-256, FIPS 180-4. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct gf_sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes so far */
    uint8_t block[64];
};

void gf_sha256_begin(struct gf_sha256 *s);
void gf_sha256_add(struct gf_sha256 *s, const void *bytes, size_t size);
void gf_sha256_end(struct gf_sha256 *s, uint8_t hash[32]);
