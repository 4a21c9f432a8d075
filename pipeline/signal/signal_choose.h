/* GF_DEVICE_AUTO for signals: the CPU, unless a GPU is likely to finish clearly sooner. */
#pragma once

#include "signal/signal_plan.h"

/* Chooses for a plan whose chain is lowered; plan->reason says why. Starts nothing. */
gf_device gf_signal_choose_device(gf_signal_plan *plan, bool may_repeat);
