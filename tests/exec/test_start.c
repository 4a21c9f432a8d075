/* gf_context_start on the emulated device: who waits, who hears of a failure, and who does not. */
#include "lost_device_case.h"

#include "context/context.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 20 };

static void starts_once(void)
{
    REQUIRE(set_up());
    CHECK_EQ_INT(gf_context_start(now.context, 0, &now.error), GF_OK);
    CHECK_EQ_INT(gf_context_start(now.context, 0, &now.error), GF_OK);
    CHECK(gf_context_is_started(now.context, 0));
    CHECK_EQ_INT(gf_context_need_device(now.context, 0, &now.error), GF_OK);
    long calls = gf_emu_calls();
    CHECK_EQ_INT(gf_context_start(now.context, 0, &now.error), GF_OK);
    CHECK_EQ_INT(gf_context_need_device(now.context, 0, &now.error), GF_OK);
    CHECK_EQ_INT(gf_emu_calls(), calls);
    CHECK_EQ_INT(run(&now.gpu), GF_OK);
    check_cpu(NULL);
    check_same();
    tear_down();
}

/* The second use of a device that was not begun knows that it runs. */
static void an_exec_starts_it_too(void)
{
    REQUIRE(set_up());
    CHECK(!gf_context_is_started(now.context, 0));
    CHECK_EQ_INT(run(&now.gpu), GF_OK);
    CHECK(gf_context_is_started(now.context, 0));
    tear_down();
}

/* The thread's error comes from the exec, once; then all is as if nobody had begun. */
static void told_once(void)
{
    for (int n = 1; n <= 2; n++) {
        REQUIRE(set_up());
        gf_emu_fail_call(n, REFUSED, false);
        CHECK_EQ_INT(gf_context_start(now.context, 0, &now.error), GF_OK);
        CHECK_EQ_INT(run(&now.gpu), GF_ERROR_DEVICE);
        CHECK_EQ_INT(now.error.code, GF_ERROR_DEVICE);
        CHECK_STR_HAS(now.error.message, "(CUDA error 999)");
        CHECK_EQ_INT(gf_emu_calls(), n);
        CHECK(!gf_context_is_started(now.context, 0));
        CHECK_EQ_INT(run(&now.gpu), GF_OK);
        check_cpu(NULL);
        check_same();
        tear_down();
    }
}

static void lost_while_starting(void)
{
    REQUIRE(set_up());
    gf_emu_fail_call(1, LOST, false);
    CHECK_EQ_INT(gf_context_start(now.context, 0, &now.error), GF_OK);
    CHECK_EQ_INT(run(&now.gpu), GF_ERROR_DEVICE);
    CHECK_STR_HAS(now.error.message, "(CUDA error 719)");
    long calls = gf_emu_calls();
    CHECK_EQ_INT(gf_context_start(now.context, 0, &now.error), GF_ERROR_DEVICE);
    CHECK_STR_HAS(now.error.message, "device emu:0 is lost");
    CHECK_EQ_INT(run(&now.gpu), GF_ERROR_DEVICE);
    CHECK_STR_HAS(now.error.message, "device emu:0 is lost");
    CHECK_EQ_INT(gf_emu_calls(), calls);
    tear_down();
}

/* Nobody waits: the context does, and a device that is not there is the exec's to find. */
static void nobody_waits(void)
{
    for (int n = 0; n < ROUNDS; n++) {
        REQUIRE(set_up());
        gf_emu_fail_call(n % 3, LOST, false);
        CHECK_EQ_INT(gf_context_start(now.context, 0, &now.error), GF_OK);
        CHECK_EQ_INT(gf_context_start(now.context, 5, &now.error), GF_OK);
        tear_down();
    }
    REQUIRE(set_up());
    struct side absent = {0};
    CHECK_EQ_INT(gf_context_start(now.context, 5, &now.error), GF_OK);
    CHECK_EQ_INT(plan_on(5, &absent), GF_OK);
    CHECK_EQ_INT(gf_exec_create(absent.plan, &absent.exec, &now.error), GF_ERROR_DEVICE);
    CHECK_STR(now.error.message, "there is no device emu:5: 1 found");
    close_side(&absent);
    tear_down();
}

struct user {
    pthread_t thread;
    gf_status begun, made;
    gf_error error;
};

static void *use(void *argument)
{
    struct user *user = argument;
    gf_exec *exec = NULL;
    user->error = (gf_error)GF_ERROR_INIT;
    user->begun = gf_context_start(now.context, 0, &user->error);
    user->made = gf_exec_create(now.gpu.plan, &exec, &user->error);
    gf_exec_destroy(&exec);
    return NULL;
}

/* All begin and all use it; exactly one hears of a failure. */
static void from_many_threads(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct user users[THREADS];
        int failed = 0;
        REQUIRE(set_up());
        gf_emu_fail_call(round % 2, REFUSED, false);
        for (int i = 0; i < THREADS; i++) {
            REQUIRE(pthread_create(&users[i].thread, NULL, use, &users[i]) == 0);
        }
        for (int i = 0; i < THREADS; i++) {
            pthread_join(users[i].thread, NULL);
            CHECK_EQ_INT(users[i].begun, GF_OK);
            failed += users[i].made == GF_ERROR_DEVICE;
            CHECK(users[i].made == GF_OK || users[i].made == GF_ERROR_DEVICE);
        }
        CHECK_EQ_INT(failed, round % 2);
        tear_down();
    }
}

static const struct check_case cases[] = {
    {"begun twice, started once", starts_once},
    {"an exec starts it too", an_exec_starts_it_too},
    {"a failure is told once", told_once},
    {"lost while it starts", lost_while_starting},
    {"nobody waits", nobody_waits},
    {"from many threads", from_many_threads},
};
CHECK_MAIN(cases)
