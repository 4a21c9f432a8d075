// time_host: what calls cost on the host, in microseconds: making a plan of a long chain, and queueing a run
// of a plan of one pass, on pictures too small to hide anything. script/time-host builds it.
//
//   time_host [--runs N]
#include "compare_chain.h"

#include <cuda_runtime.h>

#include <chrono>
#include <cstring>
#include <string>

namespace
{

constexpr char twenty[] =
    "gray,blur:1.5,contrast:1.2,box:3,gamma:2.2,blur:2,invert,hist,brightness:0.1,levels:0.2:high=0.8,sobel,"
    "box:2,stats,contrast:0.8,blur:9,threshold:otsu,invert,convert:f32,blur:0.8,convert:u8";

double now_us()
{
    const auto t = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::micro>(t).count();
}

void print(const char *what, std::vector<double> &all)
{
    std::printf("%-58s %8.1f (%.1f, %.1f)\n", what, quantile(all, 0.5), quantile(all, 0.1),
                quantile(all, 0.9));
}

void plans(gf_context *context, gf_device device, const char *what, int runs)
{
    const gf_shape shape = {1920, 1080, 3, GF_U8};
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    gf_pipeline *pipeline = nullptr;
    std::vector<double> all;
    options.device = device;
    must(gf_pipeline_parse(twenty, nullptr, 0, &pipeline, &error), error);
    for (int i = 0; i < runs; i++) {
        gf_plan *plan = nullptr;
        const double start = now_us();
        must(gf_plan_create(context, pipeline, &shape, &options, &plan, &error), error);
        all.push_back(now_us() - start);
        gf_plan_destroy(&plan);
    }
    gf_pipeline_destroy(&pipeline);
    print(what, all);
}

class queued : public chain_of_ours
{
  public:
    queued(gf_context *context, const char *text, const gf_shape &shape)
        : chain_of_ours(context, text, shape, 0, 0), in(image(shape)), out(image(output()))
    {
    }
    ~queued()
    {
        (void)cudaFree(in.data);
        (void)cudaFree(out.data);
    }
    double enqueue(cudaStream_t stream)
    {
        const double start = now_us();
        must(gf_exec_enqueue(exec, &in, measures_only() ? nullptr : &out, stream, &error), error);
        return now_us() - start;
    }
    void finish() { must(gf_exec_finish(exec, &error), error); }

  private:
    static gf_image image(const gf_shape &shape)
    {
        gf_image made = {};
        made.struct_size = sizeof made;
        made.shape = shape;
        const int64_t sample = shape.depth == GF_F32 ? 4 : shape.depth == GF_U16 ? 2 : 1;
        made.pitch = shape.width * shape.channels * sample;
        if (cudaMalloc(&made.data, static_cast<size_t>(made.pitch * shape.height)) != cudaSuccess) {
            std::fprintf(stderr, "time_host: no memory on the device\n");
            std::exit(1);
        }
        made.device = 0;
        return made;
    }
    gf_image in, out;
};

void runs_of(gf_context *context, const char *text, int channels, gf_depth depth, int runs)
{
    queued chain(context, text, {64, 64, channels, depth});
    std::vector<double> all;
    cudaStream_t stream = nullptr;
    (void)cudaStreamCreate(&stream);
    for (int i = 0; i < runs + 20; i++) {
        const double us = chain.enqueue(stream);
        chain.finish();
        if (i >= 20) {
            all.push_back(us);
        }
    }
    (void)cudaStreamDestroy(stream);
    const std::string name = std::string("queue ") + text + " on 64 x 64";
    print(name.c_str(), all);
}

} // namespace

int main(int argc, char **argv)
{
    int runs = 400, devices = 0;
    for (int i = 1; i + 1 < argc; i++) {
        runs = std::strcmp(argv[i], "--runs") == 0 ? std::max(1, std::atoi(argv[i + 1])) : runs;
    }
    gf_error error = GF_ERROR_INIT;
    gf_context *context = nullptr;
    must(gf_context_create(nullptr, &context, &error), error);
    std::printf("microseconds: median (10 %%, 90 %%) of %d calls\n", runs);
    plans(context, GF_DEVICE_CPU, "plan of 20 stages, 1920 x 1080 RGB u8, CPU", runs);
    if (cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0) {
        plans(context, 0, "plan of 20 stages, 1920 x 1080 RGB u8, CUDA", runs);
        runs_of(context, "threshold:0.5", 1, GF_U8, runs);
        runs_of(context, "gray", 3, GF_U8, runs);
        runs_of(context, "blur:sigma=1.1:radius=2", 1, GF_U8, runs);
        runs_of(context, "hist", 1, GF_U8, runs);
        runs_of(context, "gray,blur:sigma=1.1:radius=2,contrast:1.2,threshold:0.5,hist", 3, GF_U8, runs);
    }
    gf_context_destroy(&context);
    return 0;
}
