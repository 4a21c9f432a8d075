/* Factors of colours, on the CPU. */
#include "pixel/solve/balance.h"

static gf_status balance(const struct gf_apply_run *run, gf_error *error)
{
    const int32_t channels = run->out_values[0].channels;
    struct gf_balance_args args;
    (void)error;
    gf_args_get(&run->apply->args, &args, sizeof args);
    for (int32_t c = 0; c < channels; c++) {
        ((float *)run->out[0].data)[c] =
            gf_balance_of(&args, run->in[0].data, run->in_values[0].width, channels, c);
    }
    return GF_OK;
}

const struct gf_kernel gf_kernel_balance = {
    .name = "balance",
    .kind = GF_KERNEL_SOLVE,
    .words = "block to block, on the device",
    .apply = {.cpu = balance, .cuda = gf_balance_cuda, .light = true},
    .judge = gf_judge_balance,
};
