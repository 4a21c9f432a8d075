// The owners of gpufilter.hpp: they destroy in any order and never throw, and what fails is told by
// exceptions.
#include <gpufilter/gpufilter.hpp>

#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>

namespace gf = gpufilter;

static_assert(std::is_nothrow_destructible<gf::exec>::value &&
                  std::is_nothrow_destructible<gf::writer>::value,
              "destructors must not throw");
static_assert(!std::is_copy_constructible<gf::plan>::value &&
                  std::is_nothrow_move_constructible<gf::plan>::value,
              "owners move");
static_assert(sizeof(gf::picture) == sizeof(gf_picture *), "an owner is as small as what it owns");

static int failures;

static void check(bool holds, const char *what)
{
    failures += !holds;
    std::printf("%s - %s\n", holds ? "ok" : "not ok", what);
}

static bool exists(const std::string &path)
{
    std::FILE *file = std::fopen(path.c_str(), "rb");
    return file && std::fclose(file) == 0;
}

static void runs_outlive_what_they_are_made_of()
{
    auto context = gf::make<gf::context>(gf_context_create, nullptr);
    auto pipeline = gf::make<gf::pipeline>(gf_pipeline_parse, "invert", nullptr, 0);
    const uint8_t samples[4] = {0, 1, 2, 255};
    uint8_t made[4] = {};
    const gf_image in = gf_image_view(samples, 4, 1, 1, GF_U8, 0);
    gf_image out = gf_image_view(made, 4, 1, 1, GF_U8, 0);
    auto plan = gf::make<gf::plan>(gf_plan_create, context.get(), pipeline.get(), &in.shape, nullptr);
    auto exec = gf::make<gf::exec>(gf_exec_create, plan.get());
    gf::exec moved = std::move(exec);
    context.reset(), pipeline.reset(), plan.reset();
    gf::call(gf_exec_run, moved.get(), &in, &out);
    check(!exec && made[0] == 255 && made[3] == 0, "an exec runs when all else is destroyed");
}

static void errors_have_everything()
{
    try {
        gf::make<gf::pipeline>(gf_pipeline_parse, "invert,blurr", nullptr, 0);
        check(false, "a word that is no stage throws");
    } catch (const std::exception &caught) {
        const auto *error = dynamic_cast<const gf::error *>(&caught);
        check(error && error->status() == GF_ERROR_PARSE && error->details.text_offset == 7 &&
                  std::strstr(caught.what(), "blurr"),
              "an error has status, place and message");
    }
}

static void only_commit_makes_a_file(const std::string &path)
{
    const gf_shape shape = {3, 2, 1, GF_U8};
    const auto picture = gf::make<gf::picture>(gf_picture_create, &shape);
    for (int kept = 0; kept < 2; kept++) {
        auto writer = gf::make<gf::writer>(gf_writer_open, path.c_str(), &shape, nullptr, nullptr);
        const gf_sink sink = gf_writer_sink(writer.get());
        gf::call(sink.rows, sink.user, picture->image.data, picture->image.pitch, shape.height);
        if (kept) {
            gf::commit(std::move(writer));
        }
        writer.reset();
        check(exists(path) == (kept == 1), kept ? "a writer that is committed" : "a writer that is not");
    }
    const auto reader = gf::make<gf::reader>(gf_reader_open, path.c_str(), nullptr);
    check(gf_reader_info(reader.get())->shape.width == 3, "a reader");
    auto writer = gf::make<gf::writer>(gf_writer_open, path.c_str(), &shape, nullptr, nullptr);
    try {
        gf::commit(std::move(writer)); // without its rows
        check(false, "a commit that fails throws");
    } catch (const gf::error &error) {
        check(!writer && error.status() == GF_ERROR_ARGUMENT, "a commit that fails ends the writer");
    }
}

int main(int argc, char **argv)
{
    if (argc == 2) {
        runs_outlive_what_they_are_made_of();
        errors_have_everything();
        only_commit_makes_a_file(argv[1]);
    }
    return argc == 2 && failures == 0 ? 0 : 1;
}
