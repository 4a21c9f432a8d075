#define _GNU_SOURCE /* opendir */
#include "base/listed_gpus.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The line "Model:" of the driver's description of one device. */
static void read_model(const char *folder, char name[128])
{
    char path[512], line[256];
    snprintf(path, sizeof path, "/proc/driver/nvidia/gpus/%s/information", folder);
    snprintf(name, 128, "NVIDIA GPU");
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) {
        if (!strncmp(line, "Model:", 6)) {
            const char *model = line + 6 + strspn(line + 6, " \t");
            snprintf(name, 128, "%.*s", (int)strcspn(model, "\n"), model);
        }
    }
    if (file) {
        fclose(file);
    }
}

static int32_t count_device_files(char names[][128], int32_t capacity)
{
    int32_t n = 0;
    for (char path[32]; n < capacity; n++) {
        snprintf(path, sizeof path, "/dev/nvidia%d", n);
        FILE *file = fopen(path, "re");
        if (!file) {
            break;
        }
        fclose(file);
        snprintf(names[n], 128, "NVIDIA GPU");
    }
    return n;
}

int32_t gf_listed_gpus(char names[][128], int32_t capacity)
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    if (visible && (!*visible || *visible == '-')) {
        return 0;
    }
    DIR *folder = opendir("/proc/driver/nvidia/gpus");
    int32_t n = 0;
    for (struct dirent *entry; folder && n < capacity && (entry = readdir(folder));) {
        if (entry->d_name[0] != '.') {
            read_model(entry->d_name, names[n++]);
        }
    }
    if (folder) {
        closedir(folder);
    }
    return n ? n : count_device_files(names, capacity);
}
