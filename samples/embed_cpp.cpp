// embed_cpp: what embed does, in C++: read a picture, run a chain, write the result and print one number.
#include <gpufilter/gpufilter.hpp>

#include <cstdio>

namespace gf = gpufilter;

static double soften(const char *from, const char *to)
{
    const auto in = gf::make<gf::picture>(gf_io_read, from, nullptr);
    const auto context = gf::make<gf::context>(gf_context_create, nullptr);
    const auto pipeline = gf::make<gf::pipeline>(gf_pipeline_parse, "gray,blur:sigma=2,stats", nullptr, 0);
    const auto plan =
        gf::make<gf::plan>(gf_plan_create, context.get(), pipeline.get(), &in->image.shape, nullptr);
    const auto exec = gf::make<gf::exec>(gf_exec_create, plan.get());
    const gf_shape shape = gf_plan_output(plan.get());
    const auto out = gf::make<gf::picture>(gf_picture_create, &shape);
    gf::call(gf_exec_run, exec.get(), &in->image, &out->image);
    gf::call(gf_io_write, to, &out->image, nullptr, nullptr);
    double mean = 0;
    gf::call(gf_result_number, gf_exec_result_named(exec.get(), "stats"), "mean", 0, &mean);
    return mean;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::fprintf(stderr, "usage: embed_cpp IN OUT\n");
        return 2;
    }
    try {
        std::printf("mean %.2f\n", soften(argv[1], argv[2]));
        return 0;
    } catch (const gf::error &error) {
        std::fprintf(stderr, "embed_cpp: %s\n", error.what());
        return gf_status_exit_code(error.status());
    }
}
