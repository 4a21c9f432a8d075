/* sin(pi x) without the C library's sine: the same bits everywhere, exactly 0 for whole numbers. */
#ifndef GF_SINE_PI_H
#define GF_SINE_PI_H

double gf_sine_pi(double x);

#endif
