/* The names of what rows were measured on, for figures that leave their folder. */
#include "bench/bench_runner.h"

#include <stdio.h>
#include <string.h>

/* The rest of the first line of a file that begins with `key`, behind the colon; false: there is none. */
static bool read_line(const char *path, const char *key, char *value, size_t size)
{
    char line[512];
    FILE *file = fopen(path, "r");
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (colon && !strncmp(line, key, strlen(key))) {
            colon += 1 + strspn(colon + 1, " \t");
            snprintf(value, size, "%.*s", (int)strcspn(colon, "\n"), colon);
            found = true;
        }
    }
    if (file) {
        fclose(file);
    }
    return found;
}

/* "NVIDIA UNIX x86_64 Kernel Module  570.86.15  Thu ...": the first word that is a number. */
static void driver_version(char *version, size_t size)
{
    char line[256];
    *version = '\0';
    if (!read_line("/proc/driver/nvidia/version", "NVRM version", line, sizeof line)) {
        return;
    }
    for (char *word = strtok(line, " "); word && !*version; word = strtok(NULL, " ")) {
        if (strspn(word, "0123456789.") == strlen(word)) {
            snprintf(version, size, ", driver %s", word);
        }
    }
}

void bench_machine(const struct prim_device *device, char *text, size_t size)
{
    gf_device_description description = {.struct_size = sizeof description};
    gf_context *context = NULL;
    char driver[64] = "", processor[128] = "";
    const bool cpu = device->queue.device == GF_DEVICE_CPU;
    if (gf_context_create(NULL, &context, NULL) == GF_OK) {
        (void)gf_device_describe(context, device->queue.device + 1, 1, &description, NULL);
    }
    gf_context_destroy(&context);
    if (cpu && read_line("/proc/cpuinfo", "model name", processor, sizeof processor)) {
        snprintf(text, size, "%s, %d cores, gpufilter %s", processor, (int)description.units, gf_version());
        return;
    }
    if (!cpu && !device->emulated) {
        driver_version(driver, sizeof driver);
    }
    snprintf(text, size, "%s%s, gpufilter %s", description.name, driver, gf_version());
}
