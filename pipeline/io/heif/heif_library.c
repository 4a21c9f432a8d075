#include "io/heif/heif_library.h"

#include "io/heif/heif_private.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static struct gf_heif_library library;
static int is_found;

static void find(void)
{
    static const char *const names[] = {
#define NAME(name) "heif_" #name,
        GF_HEIF_FUNCTIONS(NAME)
#undef NAME
    };
    void *const to[] = {
#define PLACE(name) &library.name,
        GF_HEIF_FUNCTIONS(PLACE)
#undef PLACE
    };
    void *module = dlopen(GF_HEIF_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    is_found = module != NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && is_found; i++) {
        void *function = dlsym(module, names[i]);
        memcpy(to[i], &function, sizeof function);
        is_found = function != NULL;
    }
}

const struct gf_heif_library *gf_heif_library(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find);
    return is_found ? &library : NULL;
}
