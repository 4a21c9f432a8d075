/* sin(pi x) without the C library's sine: the same bits everywhere, exactly 0 for whole numbers. */
#pragma once

double gf_sine_pi(double x);
