/* The list of primitives, whatever folder they lie in. */
#include "array/common/variant.h"

#include <string.h>

#define GF_PRIMITIVE(name) extern const struct gf_array_primitive gf_primitive_##name;
#include "primitives/primitives.def"
#undef GF_PRIMITIVE

static const struct gf_array_primitive *const primitives[] = {
#define GF_PRIMITIVE(name) &gf_primitive_##name,
#include "primitives/primitives.def"
#undef GF_PRIMITIVE
    NULL,
};

const gf_primitive *gf_primitive_at(size_t index)
{
    size_t count = sizeof primitives / sizeof primitives[0] - 1;
    return index < count ? &primitives[index]->info : NULL;
}

static const struct gf_array_primitive *find(const char *name)
{
    size_t i = 0;
    while (name && primitives[i] && strcmp(primitives[i]->info.name, name) != 0) {
        i++;
    }
    return name ? primitives[i] : NULL;
}

const gf_variant *gf_primitive_variant(const char *primitive, size_t index)
{
    const struct gf_array_primitive *p = find(primitive);
    const struct gf_array_variant *v = p ? gf_array_variant_at(p, index) : NULL;
    return v ? &v->info : NULL;
}

const gf_variant *gf_primitive_missing_variant(const char *primitive, size_t index)
{
    const struct gf_array_primitive *p = find(primitive);
    const struct gf_array_variant *v = p ? gf_array_missing_at(p, index) : NULL;
    return v ? &v->info : NULL;
}
