/* Exhaustive fault injection: for every N, the N-th host allocation or the N-th call of the cuda* shim fails.
 *
 *     emu_faults [PART | [--scenario S] [--kind K] [--point N] [--every STEP] [--from F] [--one-in N]]
 *
 * PART keeps the scenarios whose name contains it; --one-in N every N-th case of what is kept, from the F-th
 * on.
 *
 * Each scenario runs in a child process, once without a fault and then with N = 1, 2, 3, ... until the fault
 * is not reached any more. After a fault the scenario runs again without one, in the same process. A child
 * that crashes or hangs costs its point; the next child goes on behind it. Prints TAP, one case for each
 * scenario and kind of fault, and closes with "N fault points, N clean". */
#define _GNU_SOURCE
#include "emu_control.h"
#include "fault_heap.h"
#include "fault_scenario.h"
#include "io_help.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

enum { MOST_POINTS = 100000, MOST_CHILDREN = 20, SECONDS_A_POINT = 60 };

struct kind {
    const char *name;
    bool heap;               /* a host allocation fails; else a call of the cuda* shim */
    int error;               /* cudaError_t; 0: out of memory where it allocates, else cudaErrorUnknown */
    bool stays;              /* the fault lasts until the end of the run */
    enum fault_reach needed; /* least reach of a scenario that is put through it */
};

static const struct kind kinds[] = {
    {"alloc", true, 0, false, FAULT_HOST},        {"alloc-on", true, 0, true, FAULT_HOST},
    {"cuda", false, 0, false, FAULT_DEVICE},      {"cuda-on", false, 0, true, FAULT_DEVICE},
    {"cuda-700", false, 700, true, FAULT_DEVICE}, {"cuda-719", false, 719, true, FAULT_DEVICE},
    {"cuda-2", false, 2, false, FAULT_CODES},     {"cuda-3", false, 3, false, FAULT_CODES},
    {"cuda-35", false, 35, false, FAULT_CODES},   {"cuda-46", false, 46, false, FAULT_CODES},
    {"cuda-100", false, 100, false, FAULT_CODES}, {"cuda-209", false, 209, false, FAULT_CODES},
    {"cuda-702", false, 702, true, FAULT_CODES},  {"cuda-999", false, 999, false, FAULT_CODES},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* What a child tells its parent, in shared memory: a child may not live to say it. */
struct progress {
    long point; /* that it tries */
    long points, clean;
    long silent;         /* the latest point without a warning, for FAULT_AUTO; 0: none */
    bool ended;          /* the last point was behind the last fault */
    uint64_t hash, twin; /* of what comes out without a fault; of the scenario before, 0: it did not run */
};

static struct progress *progress;

static struct {
    const char *scenario, *part, *kind;
    long point, every, from, one_in;
} options = {.every = 1, .one_in = 1};

uint64_t fault_hash(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *b = bytes;
    hash = hash ? hash : UINT64_C(14695981039346656037);
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ b[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

/* ---- arming ---- */

static const struct kind *now; /* the fault of this run; NULL: none */
static long now_point;
static bool reached; /* it happened */

void fault_begin(void)
{
    reached = false;
    if (now && now->heap) {
        fault_heap_fail(now_point, now->stays);
    } else if (now) {
        gf_emu_fail_call(now_point, now->error, now->stays);
    }
}

void fault_end(void)
{
    if (now) {
        reached = (now->heap ? fault_heap_calls() : gf_emu_calls()) >= now_point;
        now = NULL;
        fault_heap_fail(0, false);
        gf_emu_fail_call(0, 0, false);
        gf_emu_reset();
    }
}

bool fault_over(void)
{
    if (now && now->stays) {
        return false;
    }
    fault_end();
    return true;
}

/* ---- judging ---- */

static const struct fault_scenario *scenario;
static struct fault_run plain; /* what comes out without a fault */

/* Tells whether it ended as without a fault, which may itself be an error, of the scenario's own. */
static bool is_as_plain(const struct fault_run *run)
{
    return run->code == plain.code && (run->code == 0 || !strcmp(run->message, plain.message));
}

/* A device that the program chose fails: others finish, and it says so once, unless all is already done. */
static bool judge_auto(const struct fault_run *run)
{
    const char *warning = strstr(run->message, "warning: ");
    if (!is_as_plain(run)) {
        return fault_wrong("it did not finish without the device: code %d: %s", run->code, run->message);
    }
    if (warning && strstr(warning + 1, "warning: ")) {
        return fault_wrong("more than one warning: %s", run->message);
    }
    if (warning && progress->silent) {
        return fault_wrong("no warning at point %ld, but a warning here: %s", progress->silent, run->message);
    }
    if (!warning && progress->point == 1) {
        return fault_wrong("no warning");
    }
    progress->silent = warning ? 0 : progress->point;
    return true;
}

static bool judge(const struct kind *kind, const struct fault_run *run)
{
    bool good = true;
    if (run->trouble[0]) {
        good = fault_wrong("%s", run->trouble);
    }
    if (scenario->reach == FAULT_AUTO && !kind->heap && reached) {
        good = judge_auto(run) && good;
    }
    if (is_as_plain(run)) {
        good = (run->hash == plain.hash || fault_wrong("it says success and gives something else")) && good;
    } else if (!reached) {
        good = fault_wrong("code %d without the fault: %s", run->code, run->message);
    } else if (scenario->reach != FAULT_AUTO || kind->heap) {
        good = fault_message_fits(kind->heap, kind->error, scenario->codes_are_own, run) && good;
    }
    bool must_fail = kind->stays && (kind->heap || !run->elsewhere);
    if (run->ran_again && must_fail && run->again_code == 0) {
        good = fault_wrong("ran again while the fault lasts, and says success");
    }
    if (run->ran_again && !must_fail && (run->again_code != plain.code || run->again_hash != plain.hash)) {
        good = fault_wrong("ran again on the same objects: code %d%s", run->again_code,
                           run->again_hash == plain.hash ? "" : ", other bytes");
    }
    return good;
}

/* Nothing is left, and the same works without a fault. */
static bool judge_after(long held, uint64_t leaked)
{
    bool good = true;
    if (fault_heap_held() != held) {
        good = fault_wrong("%ld blocks leaked; the first is from allocation %ld", fault_heap_held() - held,
                           fault_heap_unreleased());
    }
    if (gf_emu_leaked() != leaked) {
        good = fault_wrong("%lld bytes of the device leaked", (long long)(gf_emu_leaked() - leaked));
    }
    struct fault_run run = {0};
    scenario->run(scenario->how, &run);
    if (run.code != plain.code || run.hash != plain.hash || run.trouble[0]) {
        good = fault_wrong("afterwards, without a fault: code %d%s: %s%s", run.code,
                           run.hash == plain.hash ? "" : ", other bytes", run.trouble, run.message);
    }
    return good;
}

/* ---- a child: the points of one scenario and kind ---- */

static bool try_point(const struct kind *kind, long point)
{
    struct fault_run run = {0};
    long held = fault_heap_held();
    uint64_t leaked = gf_emu_leaked();
    alarm(SECONDS_A_POINT);
    now = kind;
    now_point = point;
    scenario->run(scenario->how, &run);
    fault_end();
    bool was_reached = reached;
    bool good = judge(kind, &run) && judge_after(held, leaked);
    reached = was_reached;
    return good;
}

static void run_again_with(const struct kind *kind, long point)
{
    printf("#   at: --scenario '%s' --kind %s --point %ld\n", scenario->name, kind->name, point);
}

static void try_points(const struct kind *kind, long first)
{
    scenario->run(scenario->how, &plain);
    bool same = !scenario->is_twin || !progress->twin || plain.hash == progress->twin;
    progress->hash = plain.hash;
    if (plain.trouble[0] || plain.code != scenario->code || !same) {
        fault_wrong("without a fault: code %d, expected %d%s: %s %s", plain.code, scenario->code,
                    same ? "" : ", other bytes than its twin", plain.trouble, plain.message);
        progress->ended = true;
        progress->points++;
        return;
    }
    for (long point = first; !progress->ended && point < MOST_POINTS; point += options.every) {
        progress->point = point;
        bool good = try_point(kind, point);
        if (reached || !good) {
            progress->points++;
            progress->clean += good;
        }
        if (!good) {
            run_again_with(kind, point);
        }
        progress->ended = !reached || options.point;
    }
}

/* Runs in a child of its own. Returns its status as waitpid gives it. */
static int try_points_apart(const struct kind *kind, long first)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        try_points(kind, first);
        exit(0); /* and not _exit: the leak checker and the coverage of the emulator work at exit */
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        printf("Bail out! no child process\n");
        exit(2);
    }
    return status;
}

/* ---- the parent ---- */

struct totals {
    int cases, failed;
    long points, clean;
};

/* Tries all points of a scenario and kind, with a new child behind every crash. */
static void try_kind(const struct kind *kind, struct totals *totals)
{
    int stagger = options.every > 1 ? (int)((totals->cases * 3 + options.from) % options.every) : 0;
    long first = options.point ? options.point : 1 + stagger;
    bool whole = true;
    *progress = (struct progress){.twin = progress->twin};
    for (int child = 0; child < MOST_CHILDREN && !progress->ended; child++) {
        int status = try_points_apart(kind, first);
        if (WIFSIGNALED(status) || !progress->ended) {
            fault_wrong("%s", WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "the child ended early");
            fault_program_log();
            run_again_with(kind, progress->point);
            progress->points++;
            progress->ended = options.point;
            first = progress->point + options.every;
        } else if (WEXITSTATUS(status) != 0) {
            whole = fault_wrong("exit status %d: a sanitizer's report is on stderr", WEXITSTATUS(status));
        }
    }
    whole = whole && progress->ended && progress->clean == progress->points;
    totals->points += progress->points;
    totals->clean += progress->clean;
    totals->failed += !whole;
    printf("%s %d - %s, %s: %ld points, %ld clean\n", whole ? "ok" : "not ok", ++totals->cases,
           scenario->name, kind->name, progress->points, progress->clean);
}

/* Whether a case that might be tried has its turn. */
static bool is_one_of(void)
{
    static long count;
    return count++ % options.one_in == options.from % options.one_in;
}

static bool is_chosen(const char *name)
{
    return options.scenario ? !strcmp(name, options.scenario) : !options.part || strstr(name, options.part);
}

static void try_scenarios(const struct fault_scenario *list, bool (*prepare)(void), struct totals *totals)
{
    bool prepared = false;
    for (scenario = list; scenario->name; scenario++) {
        progress->twin = progress->hash;
        progress->hash = 0;
        if (!is_chosen(scenario->name)) {
            continue;
        }
        if (!prepared && !(prepared = prepare())) {
            printf("Bail out! cannot make the inputs of the tests\n");
            exit(2);
        }
        for (int k = 0; k < KINDS; k++) {
            if (kinds[k].needed <= scenario->reach &&
                (!options.kind || !strcmp(options.kind, kinds[k].name)) && is_one_of()) {
                try_kind(&kinds[k], totals);
            }
        }
    }
}

static bool read_options(int argc, char **argv)
{
    if (argc == 2) {
        options.part = argv[1];
        return argv[1][0] != '-';
    }
    static const struct {
        const char *name, **text;
        long *number;
    } known[] = {{"--scenario", &options.scenario, NULL}, {"--kind", &options.kind, NULL},
                 {"--point", NULL, &options.point},       {"--every", NULL, &options.every},
                 {"--from", NULL, &options.from},         {"--one-in", NULL, &options.one_in}};
    enum { KNOWN = sizeof known / sizeof *known };
    for (int i = 1, k; i + 1 < argc; i += 2) {
        for (k = 0; k < KNOWN && strcmp(argv[i], known[k].name); k++) {
        }
        if (k == KNOWN) {
            return false;
        }
        if (known[k].text) {
            *known[k].text = argv[i + 1];
        } else {
            *known[k].number = atol(argv[i + 1]);
        }
    }
    return argc % 2 == 1 && options.point >= 0 && options.every >= 1 && options.from >= 0 &&
           options.one_in >= 1;
}

int main(int argc, char **argv)
{
    struct totals totals = {0};
    if (!read_options(argc, argv)) {
        fprintf(stderr, "usage: emu_faults [PART | [--scenario S] [--kind K] [--point N] [--every STEP] "
                        "[--from F] [--one-in N]]\n");
        return 2;
    }
    progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED) {
        printf("Bail out! no shared memory\n");
        return 2;
    }
    try_scenarios(fault_library_scenarios, fault_library_prepare, &totals);
    try_scenarios(fault_stage_scenarios(), fault_library_prepare, &totals);
    try_scenarios(fault_program_scenarios, fault_program_prepare, &totals);
    printf("1..%d\n%ld fault points, %ld clean\n", totals.cases, totals.points, totals.clean);
    return totals.failed > 0 || totals.cases == 0;
}
