// compare_chain.h: a chain of ours: what compare_npp and time_host share. C++.
#ifndef COMPARE_CHAIN_H
#define COMPARE_CHAIN_H

#include <gpufilter/gpufilter.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

inline void must(gf_status status, const gf_error &error)
{
    if (status != GF_OK) {
        std::fprintf(stderr, "gpufilter: %s\n", error.message);
        std::exit(1);
    }
}

// A pipeline made ready for pictures of one shape, on one device.
class chain_of_ours
{
  public:
    chain_of_ours(gf_context *context, const char *text, const gf_shape &shape, gf_device device, int threads)
    {
        gf_plan_options options = GF_PLAN_OPTIONS_INIT;
        options.device = device;
        options.threads = threads;
        must(gf_pipeline_parse(text, nullptr, 0, &pipeline, &error), error);
        const std::vector<gf_shape> others(static_cast<size_t>(inputs() - 1), shape);
        options.other_inputs = others.data();
        options.n_other_inputs = inputs() - 1;
        must(gf_plan_create(context, pipeline, &shape, &options, &plan, &error), error);
        must(gf_exec_create(plan, &exec, &error), error);
    }
    ~chain_of_ours()
    {
        gf_exec_destroy(&exec);
        gf_plan_destroy(&plan);
        gf_pipeline_destroy(&pipeline);
    }
    chain_of_ours(const chain_of_ours &) = delete;
    chain_of_ours &operator=(const chain_of_ours &) = delete;

    bool measures_only() const { return gf_plan_measures_only(plan) != 0; }
    gf_shape output() const { return gf_plan_output(plan); }
    int32_t inputs() const { return gf_pipeline_input_count(pipeline); }

  protected:
    // Every picture beside the one that the chain begins with.
    void give(const gf_image &other)
    {
        for (int32_t i = 1; i < inputs(); i++) {
            must(gf_exec_set_input(exec, i, &other, &error), error);
        }
    }
    gf_error error = GF_ERROR_INIT;
    gf_exec *exec = nullptr;

  private:
    gf_pipeline *pipeline = nullptr;
    gf_plan *plan = nullptr;
};

// The value below which that part of all lies; the median at 0.5.
inline double quantile(std::vector<double> &all, double part)
{
    std::sort(all.begin(), all.end());
    return all[static_cast<size_t>(part * static_cast<double>(all.size() - 1) + 0.5)];
}

#endif
