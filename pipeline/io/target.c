#define _POSIX_C_SOURCE 200809L
#include "io/target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_LINKS 40

int gf_target_descriptor(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0) {
        return STDOUT_FILENO;
    }
    if (strcmp(path, "/dev/stderr") == 0) {
        return STDERR_FILENO;
    }
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length) == 0) {
            const char *digits = path + length;
            size_t count = strspn(digits, "0123456789");
            if (count > 0 && count < 9 && digits[count] == '\0') {
                return atoi(digits);
            }
        }
    }
    return -1;
}

/* Replaces the path of a link by what the link says, seen from its folder. Returns 0 or errno. */
static int follow(char path[GF_PATH_SIZE])
{
    char text[GF_PATH_SIZE];
    ssize_t length = readlink(path, text, sizeof text);
    if (length < 0) {
        return errno;
    }
    const char *slash = strrchr(path, '/');
    size_t folder = text[0] == '/' || slash == NULL ? 0 : (size_t)(slash - path) + 1;
    if (folder + (size_t)length >= GF_PATH_SIZE) {
        return ENAMETOOLONG;
    }
    memcpy(path + folder, text, (size_t)length);
    path[folder + (size_t)length] = '\0';
    return 0;
}

int gf_target_resolve(const char *path, char target[GF_PATH_SIZE])
{
    struct stat st;
    size_t length = strlen(path);
    if (length >= GF_PATH_SIZE) {
        return ENAMETOOLONG;
    }
    memcpy(target, path, length + 1);
    /* What does not exist yet is a fine target; creating it says the rest. */
    for (int links = 0; lstat(target, &st) == 0 && S_ISLNK(st.st_mode); links++) {
        int why = links < MAX_LINKS ? follow(target) : ELOOP;
        if (why != 0) {
            return why;
        }
    }
    return 0;
}
