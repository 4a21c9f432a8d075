// npp_calls.h: calls of NPP that rows of compare_npp time, by what they are about. C++.
#ifndef NPP_CALLS_H
#define NPP_CALLS_H

#include "npp_rows.h"

#include <string>

inline void must(NppStatus status, const char *what)
{
    must(status >= NPP_SUCCESS, what, std::to_string(static_cast<int>(status)).c_str());
}

namespace npp
{

// ---- colours of a pixel (npp_colour.cpp) ----

void gray(const call &c);
void spread(const call &c);
void drop_alpha(const call &c);
void add_alpha(const call &c);
void swap(const call &c);
void matrix(const call &c);
void saturation(const call &c);
void ycbcr(const call &c);
void gain(const call &c);
void invert(const call &c);
void lut(const call &c);
void cube(const call &c);
void posterize(const call &c);
void linear(const call &c);
void srgb(const call &c);
void lab(const call &c);
void lab_from(const call &c);
void difference(const call &c);
void add(const call &c);
void subtract(const call &c);
void multiply(const call &c); // of blend and of mask
void half_over(const call &c);
void over(const call &c);

// ---- moves and warps (npp_moves.cpp) ----

void crop(const call &c);
void pad(const call &c);
void pad_constant(const call &c);
void flip(const call &c);
void flip_y(const call &c);
void transpose(const call &c);
void rotate(const call &c);
void resize_box(const call &c);
void warp_nearest(const call &c);
void warp_linear(const call &c);
void warp_cubic(const call &c);
void warp_projective(const call &c);

} // namespace npp

#endif
