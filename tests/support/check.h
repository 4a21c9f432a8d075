/* check.h: a test program in one header. Prints TAP: "ok N - name", "not ok N - name" after
 * its "# why" lines, "ok N - name # SKIP reason", and "1..N" last. Exit status 0 only if at
 * least one case ran or was skipped and none failed. An argument keeps the cases whose name contains it;
 * behind a "-" those whose name does not contain it; --list prints the names.
 *
 *     static void adds(void) { CHECK_EQ_INT(1 + 1, 2); }
 *     static const struct check_case cases[] = {{"adds", adds}};
 *     CHECK_MAIN(cases)
 *
 * CHECK... record and go on, REQUIRE... return from the (void) function. One per program:
 * the counters are static. Not for use by several threads at once. */
#ifndef CHECK_H
#define CHECK_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct check_case {
    const char *name;
    void (*run)(void);
};

static struct {
    int failures; /* of the case that runs */
    char skip[256];
} check_now;

/* For tables of cases that are too slow to run as a whole: tells whether case n, from 0, of count is in the
 * share of them that GPUFILTER_TEST_SLICE=A/B asks for, every B-th from the A-th on, and always one of a
 * short table. Without it all are. An odd B meets every combination of a table's columns. */
static inline int check_slice(long n, long count)
{
    static long first, step;
    if (!step) {
        const char *asked = getenv("GPUFILTER_TEST_SLICE");
        step = 1;
        if (asked && (sscanf(asked, "%ld/%ld", &first, &step) != 2 || first < 0 || step < 1)) {
            printf("Bail out! GPUFILTER_TEST_SLICE=%s: must be A/B, as 3/47\n", asked);
            exit(2);
        }
    }
    long every = step < count ? step : count;
    return n % every == first % every;
}

/* Notes a failure; prints the first 20 of a case. Returns ok. */
__attribute__((format(printf, 4, 5))) static inline int check_that(int ok, const char *file, int line,
                                                                   const char *format, ...)
{
    if (!ok && check_now.failures++ < 20) {
        va_list args;
        va_start(args, format);
        printf("# %s:%d: ", file, line);
        vprintf(format, args);
        printf("\n");
        va_end(args);
    }
    return ok;
}

static inline int check_int(long long a, long long b, const char *text, const char *file, int line)
{
    return check_that(a == b, file, line, "%s: %lld, expected %lld", text, a, b);
}

static inline int check_near(double a, double b, double tolerance, const char *text, const char *file,
                             int line)
{
    return check_that(fabs(a - b) <= tolerance, file, line, "%s: %.17g, expected %.17g +- %g", text, a, b,
                      tolerance);
}

static inline int check_str(const char *a, const char *b, const char *text, const char *file, int line)
{
    int same = a && b ? strcmp(a, b) == 0 : a == b;
    return check_that(same, file, line, "%s: \"%s\", expected \"%s\"", text, a ? a : "NULL", b ? b : "NULL");
}

static inline int check_has(const char *a, const char *part, const char *text, const char *file, int line)
{
    return check_that(a && strstr(a, part), file, line, "%s: \"%s\" lacks \"%s\"", text, a ? a : "NULL",
                      part);
}

static inline int check_mem(const void *a, const void *b, size_t size, const char *text, const char *file,
                            int line)
{
    const unsigned char *p = (const unsigned char *)a, *q = (const unsigned char *)b;
    for (size_t i = 0; i < size; i++) {
        if (p[i] != q[i]) {
            return check_that(0, file, line, "%s: byte %zu of %zu is %d, expected %d", text, i, size, p[i],
                              q[i]);
        }
    }
    return 1;
}

#define CHECK(ok)                   ((void)check_that((ok) ? 1 : 0, __FILE__, __LINE__, "%s", #ok))
#define CHECK_MSG(ok, ...)          ((void)check_that((ok) ? 1 : 0, __FILE__, __LINE__, __VA_ARGS__))
#define CHECK_EQ_INT(a, b)          ((void)check_int((long long)(a), (long long)(b), #a, __FILE__, __LINE__))
#define CHECK_NEAR(a, b, tolerance) ((void)check_near((a), (b), (tolerance), #a, __FILE__, __LINE__))
#define CHECK_STR(a, b)             ((void)check_str((a), (b), #a, __FILE__, __LINE__))
#define CHECK_STR_HAS(a, part)      ((void)check_has((a), (part), #a, __FILE__, __LINE__))
#define CHECK_MEM(a, b, size)       ((void)check_mem((a), (b), (size), #a, __FILE__, __LINE__))
#define REQUIRE(ok)                                                                                          \
    do {                                                                                                     \
        if (!check_that((ok) ? 1 : 0, __FILE__, __LINE__, "%s", #ok)) {                                      \
            return;                                                                                          \
        }                                                                                                    \
    } while (0)

/* Ends the case as skipped; the reason is printf style. */
#define SKIP(...)                                                                                            \
    do {                                                                                                     \
        snprintf(check_now.skip, sizeof check_now.skip, __VA_ARGS__);                                        \
        return;                                                                                              \
    } while (0)

static inline int check_run(const struct check_case *cases, size_t count, const char *only)
{
    int number = 0, failed = 0;
    bool list = only && !strcmp(only, "--list");
    for (size_t i = 0; i < count; i++) {
        if (list) {
            puts(cases[i].name);
            continue;
        }
        if (only && (*only == '-' ? !!strstr(cases[i].name, only + 1) : !strstr(cases[i].name, only))) {
            continue;
        }
        memset(&check_now, 0, sizeof check_now);
        cases[i].run();
        failed += check_now.failures > 0;
        printf("%s %d - %s%s%s\n", check_now.failures ? "not ok" : "ok", ++number, cases[i].name,
               check_now.skip[0] ? " # SKIP " : "", check_now.skip);
        fflush(stdout);
    }
    if (list) {
        return 0;
    }
    printf("1..%d\n", number);
    return failed > 0 || number == 0;
}

#define CHECK_MAIN(cases)                                                                                    \
    int main(int argc, char **argv)                                                                          \
    {                                                                                                        \
        return check_run(cases, sizeof(cases) / sizeof(cases)[0], argc > 1 ? argv[1] : NULL);                \
    }

#endif
