// compare_npp: time of stages and chains on a GPU beside NPP's functions and a copy, in one run, turn by
// turn. Gray and RGB pictures of noise in four rotated sets of buffers in the device's memory; times are
// those of events around the work on one stream. script/compare-npp builds it.
//
//   compare_npp [--runs N] [--size WIDTH HEIGHT] [--csv] [NAME]   NAME: only this row; CSV: for script/speed
//   compare_npp ... --stages LIST [--depth u8|u16|f32] [--channels N]   a chain alone, over gray of u8 otherwise
#include "npp_rows.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace
{

enum { SETS = 4, WARM = 3 };

struct options {
    int runs = 25, width = 7680, height = 4320;
    bool csv = false;
    std::string name, stages;
    gf_depth depth = GF_U8;
    int channels = 1;
};

void must(cudaError_t status, const char *what)
{
    ::must(status == cudaSuccess, what, cudaGetErrorString(status));
}

size_t bytes_of(gf_depth depth)
{
    return depth == GF_F32 ? 4 : depth == GF_U16 ? 2 : 1;
}

struct memory { // of the device
    void *data = nullptr;
    explicit memory(size_t bytes) { must(cudaMalloc(&data, bytes), "cudaMalloc"); }
    ~memory() { (void)cudaFree(data); }
    memory(const memory &) = delete;
    memory &operator=(const memory &) = delete;
    template <class T> T *as() const { return static_cast<T *>(data); }
};

class ours : public chain_of_ours
{
  public:
    ours(gf_context *context, const row &r, const options &o)
        : chain_of_ours(context, r.chain, {o.width, o.height, r.channels, r.depth}, 0, 0),
          in_shape{o.width, o.height, r.channels, r.depth}
    {
    }
    void enqueue(const memory &in, const memory &other, const memory &out, cudaStream_t stream)
    {
        gf_image from = image(in_shape, in), to = image(output(), out);
        give(image(in_shape, other));
        must(gf_exec_enqueue(exec, &from, measures_only() ? nullptr : &to, stream, &error), error);
    }
    void finish() { must(gf_exec_finish(exec, &error), error); }

  private:
    static gf_image image(const gf_shape &shape, const memory &m)
    {
        gf_image made = {};
        made.struct_size = sizeof made;
        made.shape = shape;
        made.pitch = shape.width * shape.channels * static_cast<int64_t>(bytes_of(shape.depth));
        made.data = m.data;
        made.device = 0;
        return made;
    }
    gf_shape in_shape;
};

// Times of one contestant on the stream, in microseconds.
class times
{
  public:
    explicit times(cudaStream_t on) : stream(on)
    {
        must(cudaEventCreate(&start), "event");
        must(cudaEventCreate(&end), "event");
    }
    // f's work right behind `before`, so that the device does not wait for calls of the host.
    template <class B, class F> void add(B &&before, F &&f)
    {
        float ms = 0;
        before();
        must(cudaEventRecord(start, stream), "record");
        f();
        must(cudaEventRecord(end, stream), "record");
        must(cudaEventSynchronize(end), "wait");
        must(cudaEventElapsedTime(&ms, start, end), "elapsed");
        all.push_back(double(ms) * 1000);
    }
    void forget() { all.clear(); }
    double at(double part) { return quantile(all, part); }

  private:
    cudaStream_t stream;
    cudaEvent_t start = nullptr, end = nullptr; // live as long as the program
    std::vector<double> all;
};

void fill(const memory &m, size_t bytes, gf_depth depth, uint64_t seed)
{
    std::vector<unsigned char> noise(bytes);
    for (size_t i = 0; i < bytes; i += depth == GF_F32 ? 4 : 1) {
        seed = seed * 6364136223846793005U + 1442695040888963407U;
        const float sample = static_cast<float>(seed >> 40) * 0x1p-24F;
        if (depth == GF_F32) {
            std::memcpy(&noise[i], &sample, sizeof sample);
        } else {
            noise[i] = static_cast<unsigned char>(seed >> 56);
        }
    }
    must(cudaMemcpy(m.data, noise.data(), bytes, cudaMemcpyHostToDevice), "upload");
}

NppStreamContext context_of(cudaStream_t stream)
{
    NppStreamContext made = {};
    cudaDeviceProp properties;
    must(cudaGetDeviceProperties(&properties, 0), "properties");
    made.hStream = stream;
    made.nMultiProcessorCount = properties.multiProcessorCount;
    made.nMaxThreadsPerMultiProcessor = properties.maxThreadsPerMultiProcessor;
    made.nMaxThreadsPerBlock = properties.maxThreadsPerBlock;
    made.nSharedMemPerBlock = properties.sharedMemPerBlock;
    made.nCudaDevAttrComputeCapabilityMajor = properties.major;
    made.nCudaDevAttrComputeCapabilityMinor = properties.minor;
    must(cudaStreamGetFlags(stream, &made.nStreamFlags), "flags");
    return made;
}

// The largest difference of samples, and how many in a hundred differ.
void tell_difference(const std::vector<unsigned char> &a, const std::vector<unsigned char> &b)
{
    int largest = 0;
    size_t differ = 0;
    for (size_t i = 0; i < a.size(); i++) {
        largest = std::max(largest, std::abs(a[i] - b[i]));
        differ += a[i] != b[i];
    }
    std::printf("   %d, %.2g %%", largest, 100 * double(differ) / double(a.size()));
}

std::vector<unsigned char> fetched(const memory &m, size_t bytes, cudaStream_t stream)
{
    std::vector<unsigned char> made(bytes);
    must(cudaStreamSynchronize(stream), "wait");
    must(cudaMemcpy(made.data(), m.data, bytes, cudaMemcpyDeviceToHost), "download");
    return made;
}

void measure(gf_context *context, const row &r, const options &o, cudaStream_t stream)
{
    ours mine(context, r, o);
    const size_t pixels = size_t(o.width) * static_cast<size_t>(o.height), sample = bytes_of(r.depth);
    const size_t read = pixels * static_cast<size_t>(r.channels) * sample;
    const gf_shape shape = mine.output();
    const size_t written = mine.measures_only()
                               ? 0
                               : static_cast<size_t>(shape.width) * static_cast<size_t>(shape.height) *
                                     static_cast<size_t>(shape.channels) * bytes_of(shape.depth);
    std::vector<std::unique_ptr<memory>> in, out;
    for (int i = 0; i < SETS; i++) {
        in.push_back(std::make_unique<memory>(read));
        out.push_back(std::make_unique<memory>(2 * std::max(written, pixels))); // NPP's chain has one between
        fill(*in.back(), read, r.depth, static_cast<uint64_t>(i));
    }
    memory buffer(NPP_BUFFER), from(size_t(1) << 28), to(size_t(1) << 28);
    const NppStreamContext npp = context_of(stream);
    times our(stream), their(stream), copied(stream);
    auto call_of = [&](int s) {
        return call{in[s]->as<Npp8u>(), in[(s + 1) % SETS]->as<Npp8u>(), out[s]->as<Npp8u>(),
                    buffer.data,        NppiSize{o.width, o.height},     npp};
    };
    for (int i = 0; i < o.runs + WARM; i++) {
        const int s = i % SETS;
        const memory &other = *in[(s + 1) % SETS];
        const call c = call_of(s);
        auto one_copy = [&] {
            must(cudaMemcpyAsync(to.data, from.data, size_t(1) << 28, cudaMemcpyDeviceToDevice, stream),
                 "copy");
        };
        our.add(one_copy, [&] { mine.enqueue(*in[s], other, *out[s], stream); });
        mine.finish();
        if (r.theirs) {
            their.add(one_copy, [&] { r.theirs(c); });
        }
        copied.add(one_copy, one_copy);
        if (i < WARM) {
            our.forget(), their.forget(), copied.forget();
        }
    }
    if (o.csv) {
        if (r.theirs) {
            std::printf("NPP,\"%s\",,%.2f,%.2f\n", r.name, our.at(0.5), their.at(0.5));
        }
        return;
    }
    const double rate = 2.0 * double(size_t(1) << 28) / copied.at(0.5); // bytes a microsecond
    std::printf("%-22s %8.1f (%.1f, %.1f)", r.name, our.at(0.5), our.at(0.1), our.at(0.9));
    if (r.theirs) {
        std::printf(" %8.1f (%.1f, %.1f)   S %.2f", their.at(0.5), their.at(0.1), their.at(0.9),
                    their.at(0.5) / our.at(0.5));
    } else {
        std::printf(" %26s %8s", "-", "");
    }
    std::printf("   B %.2f", double(read * size_t(mine.inputs()) + written) / rate / our.at(0.5));
    if (r.theirs && r.same) { // bytes, all of them
        mine.enqueue(*in[0], *in[1], *out[0], stream);
        mine.finish();
        const std::vector<unsigned char> made = fetched(*out[0], written, stream);
        r.theirs(call_of(0));
        tell_difference(made, fetched(*out[0], written, stream));
    }
    std::printf("\n");
    std::fflush(stdout);
}

options parse(int argc, char **argv)
{
    options o;
    for (int i = 1; i < argc; i++) {
        if (std::strcmp(argv[i], "--runs") == 0 && i + 1 < argc) {
            o.runs = std::max(1, std::atoi(argv[++i]));
        } else if (std::strcmp(argv[i], "--size") == 0 && i + 2 < argc) {
            o.width = std::max(16, std::atoi(argv[++i]));
            o.height = std::max(16, std::atoi(argv[++i]));
        } else if (std::strcmp(argv[i], "--csv") == 0) {
            o.csv = true;
        } else if (std::strcmp(argv[i], "--stages") == 0 && i + 1 < argc) {
            o.stages = argv[++i];
        } else if (std::strcmp(argv[i], "--depth") == 0 && i + 1 < argc) {
            const std::string depth = argv[++i];
            o.depth = depth == "f32" ? GF_F32 : depth == "u16" ? GF_U16 : GF_U8;
        } else if (std::strcmp(argv[i], "--channels") == 0 && i + 1 < argc) {
            o.channels = std::min(4, std::max(1, std::atoi(argv[++i])));
        } else {
            o.name = argv[i];
        }
    }
    return o;
}

} // namespace

int main(int argc, char **argv)
{
    const options o = parse(argc, argv);
    gf_error error = GF_ERROR_INIT;
    gf_context *context = nullptr;
    cudaStream_t stream = nullptr;
    must(gf_context_create(nullptr, &context, &error), error);
    must(cudaStreamCreate(&stream), "stream");
    if (o.csv) {
        std::printf("peer,row,threads,ours_us,theirs_us\n");
    } else {
        std::printf("%d x %d, microseconds: median (10 %%, 90 %%) of %d turns; S: NPP / ours, B: copy of as "
                    "many bytes "
                    "/ ours; behind that, where both make the same: the largest difference, and how many "
                    "samples differ\n"
                    "%-22s %26s %26s\n",
                    o.width, o.height, o.runs, "", "ours", "NPP");
    }
    int found = 0;
    if (!o.stages.empty()) {
        measure(context, row{o.stages.c_str(), o.stages.c_str(), o.channels, o.depth, nullptr, false}, o,
                stream);
        gf_context_destroy(&context);
        return 0;
    }
    for (const row *r = npp_rows; r->name; r++) {
        if (o.name.empty() || o.name == r->name) {
            measure(context, *r, o, stream);
            found++;
        }
    }
    gf_context_destroy(&context);
    must(found > 0, o.name.c_str(), "no such row");
    return 0;
}
