/* The body of a function of one network of rank_networks.def, of values that are 0 or 1; include it where
 * GF_NETWORK_NAME is defined, as often as there are networks. */
#define GF_LEAST(to, a, b) v[to] = v[a] < v[b] ? v[a] : v[b];
#define GF_MOST(to, a, b)  v[to] = v[a] < v[b] ? v[b] : v[a];
#define GF_MADE(i, value)  made[i] = v[value];
#include "pixel/window/rank/rank_networks.def"
