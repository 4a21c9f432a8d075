#define _GNU_SOURCE /* dladdr */
#include "base/module_path.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* The folder that this code's object lies in, without a slash at the end. The linker knows a program by the
 * name that it was called by, which may be relative to a folder that is not the current one any more. */
static bool own_folder(char folder[PATH_MAX])
{
    Dl_info own, program;
    if (dladdr(__extension__(void *) own_folder, &own) == 0) {
        return false;
    }
    /* The kernel's pointer to the program's headers leads into the program. */
    const bool is_program =
        dladdr((const void *)getauxval(AT_PHDR), &program) == 0 || program.dli_fbase == own.dli_fbase;
    if (!realpath(is_program ? "/proc/self/exe" : own.dli_fname, folder)) {
        return false;
    }
    *strrchr(folder, '/') = '\0';
    return true;
}

bool gf_module_find(const char *file, char path[PATH_MAX], char places[PATH_MAX])
{
    char folder[PATH_MAX], libraries[PATH_MAX];
    snprintf(places, PATH_MAX, "an unknown folder");
    if (!own_folder(folder)) {
        return false;
    }
    if (snprintf(path, PATH_MAX, "%s/%s", folder, file) < PATH_MAX && access(path, F_OK) == 0) {
        return true;
    }
    snprintf(places, PATH_MAX, "%s", folder);
    if (snprintf(path, PATH_MAX, "%s/" GF_MODULE_FOLDER, folder) >= PATH_MAX || !realpath(path, libraries) ||
        !strcmp(libraries, folder)) {
        return false;
    }
    snprintf(places, PATH_MAX, "%.2000s and %.2000s", folder, libraries);
    return snprintf(path, PATH_MAX, "%s/%s", libraries, file) < PATH_MAX && access(path, F_OK) == 0;
}
