/* The networks of rank_networks.def, each by the zero-one principle: over all inputs of zeros and ones that
 * are sorted as far as the network takes them to be. */
#include "check.h"

#include <stdint.h>

enum { VALUES = 256, RESULTS = 16 };

/* Each include fills a function's body with the network that is asked for. */
static void sort_3(uint8_t *v, uint8_t *made)
{
#define GF_NETWORK_SORT_3
#include "rank_network_body.h"
}
static void median_3(uint8_t *v, uint8_t *made)
{
#define GF_NETWORK_MEDIAN_3
#include "rank_network_body.h"
}
static void sort_5(uint8_t *v, uint8_t *made)
{
#define GF_NETWORK_SORT_5
#include "rank_network_body.h"
}
static void pair_5(uint8_t *v, uint8_t *made)
{
#define GF_NETWORK_PAIR_5
#include "rank_network_body.h"
}
static void core_5(uint8_t *v, uint8_t *made)
{
#define GF_NETWORK_CORE_5
#include "rank_network_body.h"
}
static void join_5(uint8_t *v, uint8_t *made)
{
#define GF_NETWORK_JOIN_5
#include "rank_network_body.h"
}
static void sort_7(uint8_t *v, uint8_t *made)
{
#define GF_NETWORK_SORT_7
#include "rank_network_body.h"
}
static void pair_7(uint8_t *v, uint8_t *made)
{
#define GF_NETWORK_PAIR_7
#include "rank_network_body.h"
}
static void core_7(uint8_t *v, uint8_t *made)
{
#define GF_NETWORK_CORE_7
#include "rank_network_body.h"
}
static void join_7(uint8_t *v, uint8_t *made)
{
#define GF_NETWORK_JOIN_7
#include "rank_network_body.h"
}

/* A network takes sorted groups, and makes what has the ranks first, first + 1, ... of all that comes in. */
struct network {
    void (*run)(uint8_t *v, uint8_t *made);
    int groups[8]; /* sizes, ended by 0 */
    int first, results;
};

static int states_of(const struct network *n, int *inputs)
{
    int states = 1;
    *inputs = 0;
    for (int g = 0; n->groups[g]; g++) {
        states *= n->groups[g] + 1;
        *inputs += n->groups[g];
    }
    return states;
}

static void prove(const struct network *network)
{
    int inputs;
    const int states = states_of(network, &inputs);
    for (int state = 0; state < states; state++) {
        uint8_t v[VALUES], made[RESULTS];
        int rest = state, ones = 0, at = 0;
        memset(v, 2, sizeof v);
        memset(made, 2, sizeof made);
        for (int g = 0; network->groups[g]; g++) {
            const int size = network->groups[g], full = rest % (size + 1);
            rest /= size + 1;
            ones += full;
            for (int i = 0; i < size; i++) {
                v[at++] = i >= size - full;
            }
        }
        for (int i = 0; i < network->results; i++) {
            CHECK_EQ_INT(made[i], 2);
        }
        network->run(v, made);
        for (int i = 0; i < network->results; i++) {
            CHECK_EQ_INT(made[i], network->first + i >= inputs - ones);
        }
        CHECK_EQ_INT(made[network->results], 2);
    }
}

static void of_three(void)
{
    prove(&(struct network){sort_3, {1, 1, 1}, 0, 3});
    prove(&(struct network){median_3, {3, 3, 3}, 4, 1});
}

static void of_five(void)
{
    prove(&(struct network){sort_5, {1, 1, 1, 1, 1}, 0, 5});
    prove(&(struct network){pair_5, {5, 5}, 0, 10});
    prove(&(struct network){core_5, {10, 10}, 7, 6});
    prove(&(struct network){join_5, {6, 5}, 5, 1});
}

static void of_seven(void)
{
    prove(&(struct network){sort_7, {1, 1, 1, 1, 1, 1, 1}, 0, 7});
    prove(&(struct network){pair_7, {7, 7}, 0, 14});
    prove(&(struct network){core_7, {14, 14, 14}, 17, 8});
    prove(&(struct network){join_7, {8, 7}, 7, 1});
}

/* All of them together: every way in which k columns of zeros and ones can be filled, the columns in no
 * order. */
static int whole(int k, const int *ones)
{
    uint8_t column[8][VALUES], v[VALUES], made[RESULTS];
    for (int c = 0; c < k; c++) {
        uint8_t in[VALUES];
        for (int i = 0; i < k; i++) {
            in[i] = (i * 3 + c) % k < ones[c];
        }
        (k == 5 ? sort_5 : sort_7)(in, column[c]);
    }
    uint8_t pairs[VALUES];
    for (int p = 0; p < (k - 1) / 2; p++) {
        memcpy(v, column[2 * p], (size_t)k);
        memcpy(v + k, column[2 * p + 1], (size_t)k);
        (k == 5 ? pair_5 : pair_7)(v, pairs + 2 * p * k);
    }
    (k == 5 ? core_5 : core_7)(pairs, v);
    memcpy(v + k + 1, column[k - 1], (size_t)k);
    (k == 5 ? join_5 : join_7)(v, made);
    return made[0];
}

static void together(void)
{
    for (int k = 5; k <= 7; k += 2) {
        int states = 1;
        for (int c = 0; c < k; c++) {
            states *= k + 1;
        }
        for (int state = 0; state < states; state += k == 5 ? 1 : 7) {
            int ones[8], rest = state, sum = 0;
            for (int c = 0; c < k; c++, rest /= k + 1) {
                ones[c] = rest % (k + 1);
                sum += ones[c];
            }
            if (whole(k, ones) != (2 * sum > k * k)) {
                CHECK_EQ_INT(whole(k, ones), 2 * sum > k * k);
            }
        }
    }
}

static const struct check_case cases[] = {
    {"3 x 3: columns, and the median of three", of_three},
    {"5 x 5: columns, pairs, cores and the last column", of_five},
    {"7 x 7: columns, pairs, cores and the last column", of_seven},
    {"whole squares, all counts of ones", together},
};

CHECK_MAIN(cases)
