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

const gf_variant *gf_primitive_variant(const char *primitive, size_t index)
{
    for (size_t i = 0; primitive && primitives[i]; i++) {
        if (!strcmp(primitives[i]->info.name, primitive)) {
            const struct gf_array_variant *v = gf_array_variant_at(primitives[i], index);
            return v ? &v->info : NULL;
        }
    }
    return NULL;
}
