// compare_opencv: time of chains on the CPU beside OpenCV's functions and a copy, in one run, turn by turn.
// Pictures of noise in three rotated sets of buffers; OpenCV gets the same threads, radius and border.
// script/compare-opencv builds it.
//
//   compare_opencv [--threads N] [--runs N] [--size WIDTH HEIGHT] [NAME]   NAME: only this row
#include "opencv_rows.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace
{

enum { SETS = 3, WARM = 2 };

struct options {
    int threads = 1, runs = 15, width = 7680, height = 4320;
    std::string name;
};

gf_image image_of(cv::Mat &mat)
{
    gf_image made = {};
    made.struct_size = sizeof made;
    gf_depth depth = mat.depth() == CV_8U ? GF_U8 : mat.depth() == CV_16U ? GF_U16 : GF_F32;
    made.shape = {mat.cols, mat.rows, mat.channels(), depth};
    made.pitch = static_cast<int64_t>(mat.step);
    made.data = mat.data;
    made.device = GF_DEVICE_CPU;
    return made;
}

class ours : public chain_of_ours
{
  public:
    using chain_of_ours::chain_of_ours;
    void run(cv::Mat &in, cv::Mat &out)
    {
        gf_image from = image_of(in), to = image_of(out);
        to.shape.depth = output().depth;
        give(image_of(other));
        must(gf_exec_run(exec, &from, measures_only() ? nullptr : &to, &error), error);
    }
};

// Times of one contestant, in milliseconds.
struct times {
    std::vector<double> all;
    template <class F> void add(F &&f)
    {
        auto start = std::chrono::steady_clock::now();
        f();
        std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
        all.push_back(taken.count());
    }
    double at(double part) { return quantile(all, part); }
};

// Copies as many bytes as ours reads and writes, by the same threads.
void copy(const cv::Mat &in, cv::Mat &out, size_t bytes, int threads)
{
    std::vector<std::thread> others;
    for (int t = threads - 1; t >= 0; t--) {
        size_t from = bytes * static_cast<size_t>(t) / static_cast<size_t>(threads);
        size_t to = bytes * static_cast<size_t>(t + 1) / static_cast<size_t>(threads);
        auto part = [&, from, to] { std::memcpy(out.data + from, in.data + from, to - from); };
        if (t > 0) {
            others.emplace_back(part);
        } else {
            part();
        }
    }
    for (auto &other : others) {
        other.join();
    }
}

// Pictures of noise; the outputs have been touched before anything is timed.
struct pictures {
    cv::Mat in[SETS], out[SETS], theirs[SETS];
    pictures(const row &r, const options &o, const cv::Size &size, int made)
    {
        for (int i = 0; i < SETS; i++) {
            in[i].create(o.height, o.width, r.type);
            cv::randu(in[i], 0, in[i].depth() == CV_8U ? 256 : in[i].depth() == CV_16U ? 65536 : 1);
            if (std::strstr(r.name, "smooth")) { // slopes with a little noise, as photographs have them
                cv::GaussianBlur(in[i], in[i], cv::Size(), 5);
                cv::normalize(in[i], in[i], 0, 255, cv::NORM_MINMAX);
            }
            out[i] = cv::Mat(size, made, cv::Scalar::all(1));
            theirs[i] = cv::Mat(size, made, cv::Scalar::all(1));
        }
    }
};

void measure(gf_context *context, const row &r, const options &o)
{
    cv::Mat none;
    gf_shape shape = {o.width, o.height, CV_MAT_CN(r.type), GF_U8};
    shape.depth = CV_MAT_DEPTH(r.type) == CV_8U ? GF_U8 : CV_MAT_DEPTH(r.type) == CV_16U ? GF_U16 : GF_F32;
    ours mine(context, r.chain, shape, GF_DEVICE_CPU, o.threads);
    const gf_shape output = mine.output();
    const size_t size = gf_depth_size(output.depth);
    const int depth = size == 1 ? CV_8U : size == 2 ? CV_16U : size == 4 ? CV_32F : CV_64F; // 64: or u64
    const cv::Size made = mine.measures_only()
                              ? cv::Size(o.width, o.height)
                              : cv::Size(static_cast<int>(output.width), static_cast<int>(output.height));
    pictures p(r, o, made, mine.measures_only() ? r.type : CV_MAKETYPE(depth, output.channels));
    size_t read = p.in[0].total() * p.in[0].elemSize() * static_cast<size_t>(mine.inputs());
    size_t written = mine.measures_only() ? 0 : p.out[0].total() * p.out[0].elemSize();
    cv::Mat from(o.height, static_cast<int>((read + written) / 2 / static_cast<size_t>(o.height)) + 1, CV_8U,
                 cv::Scalar::all(2));
    cv::Mat to = from.clone();
    times our, their, copied;

    for (int i = 0; i < o.runs + WARM; i++) {
        int s = i % SETS;
        other = p.in[(s + 1) % SETS];
        /* Whoever comes second finds some of the input in the caches: each one has its turn. */
        for (int turn = 0; turn < 2; turn++) {
            if (turn == i % 2) {
                our.add([&] { mine.run(p.in[s], p.out[s]); });
            } else {
                their.add([&] { r.theirs(p.in[s], p.theirs[s]); });
            }
        }
        copied.add([&] { copy(from, to, (read + written) / 2, o.threads); });
        if (i < WARM) {
            our.all.clear(), their.all.clear(), copied.all.clear();
        }
    }
    std::printf("%-20s %7d %7.2f (%6.2f %6.2f) %7.2f (%6.2f %6.2f) %6.2f %6.2f", r.name, o.threads,
                our.at(0.5), our.at(0.1), our.at(0.9), their.at(0.5), their.at(0.1), their.at(0.9),
                our.at(0.5) / their.at(0.5), copied.at(0.5) / our.at(0.5));
    if (r.same) {
        std::printf("  %.3g", cv::norm(p.out[0], p.theirs[0], cv::NORM_INF));
    }
    std::printf("\n");
    std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv)
{
    options o;
    for (int i = 1; i < argc; i++) {
        if (!std::strcmp(argv[i], "--threads") && i + 1 < argc) {
            o.threads = std::atoi(argv[++i]);
        } else if (!std::strcmp(argv[i], "--runs") && i + 1 < argc) {
            o.runs = std::atoi(argv[++i]);
        } else if (!std::strcmp(argv[i], "--size") && i + 2 < argc) {
            o.width = std::atoi(argv[++i]);
            o.height = std::atoi(argv[++i]);
        } else {
            o.name = argv[i];
        }
    }
    if (o.threads < 1 || o.runs < 1 || o.width < 1 || o.height < 1) {
        std::fprintf(stderr, "compare_opencv: threads, runs, width and height are 1 or more\n");
        return 2;
    }
    gf_error error = GF_ERROR_INIT;
    gf_context *context = nullptr;
    must(gf_context_create(nullptr, &context, &error), error);
    cv::setNumThreads(o.threads);
    std::printf("OpenCV %s; %d x %d; milliseconds: median of %d turns (10 %%, 90 %%)\n", CV_VERSION, o.width,
                o.height, o.runs);
    std::printf("%-20s %7s %7s %15s %7s %15s %6s %6s  %s\n", "", "threads", "ours", "", "OpenCV", "", "ratio",
                "B", "difference");
    for (const row *r = opencv_rows; r->name; r++) {
        if (o.name.empty() || o.name == r->name) {
            measure(context, *r, o);
        }
    }
    gf_context_destroy(&context);
    return 0;
}
