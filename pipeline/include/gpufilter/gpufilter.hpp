/* gpufilter/gpufilter.hpp: the library from C++11: owners that destroy what they own, and exceptions.
 *
 *   namespace gf = gpufilter;
 *   auto in = gf::make<gf::picture>(gf_io_read, "in.png", nullptr);
 *   auto context = gf::make<gf::context>(gf_context_create, nullptr);
 *   auto pipeline = gf::make<gf::pipeline>(gf_pipeline_parse, "gray,blur:sigma=2", nullptr, 0);
 *   auto plan = gf::make<gf::plan>(gf_plan_create, context.get(), pipeline.get(), &in->image.shape, nullptr);
 *   auto exec = gf::make<gf::exec>(gf_exec_create, plan.get());
 *   gf_shape shape = gf_plan_output(plan.get());
 *   auto out = gf::make<gf::picture>(gf_picture_create, &shape);
 *   gf::call(gf_exec_run, exec.get(), &in->image, &out->image);
 *
 * samples/embed_cpp.cpp is a whole program.
 *
 * Ownership. An owner is a std::unique_ptr: it moves and is not copied, get() is what the functions of C
 * take, reset() destroys at once, release() hands the object to the caller. Owners may go in any order, as
 * the objects of C may (pipeline.h). Destructors never throw. A writer that was not committed leaves no trace
 * of its file.
 *
 * Errors. call() and make() take any function of the library whose last argument is a gf_error, without that
 * argument, and throw gpufilter::error for whatever is not GF_OK. All other functions report as in C. A
 * function of the caller that the library calls (source, sink, stage, item) must not let an exception out.
 *
 * Threads. Objects are used by several threads as pipeline.h and batch.h say, owners as any std::unique_ptr.
 */
#ifndef GPUFILTER_GPUFILTER_HPP
#define GPUFILTER_GPUFILTER_HPP

#include "gpufilter/gpufilter.h"

#include <memory>
#include <stdexcept>
#include <utility>

namespace gpufilter
{

/* what() is gf_error.message. */
class error : public std::runtime_error
{
  public:
    explicit error(const gf_error &failure) : std::runtime_error(failure.message), details(failure) {}
    gf_status status() const noexcept { return details.code; }
    gf_error details;
};

template <typename T, void (*destroy)(T **)> struct destroyer {
    void operator()(T *object) const noexcept { destroy(&object); }
};
template <typename T, void (*destroy)(T **)> using owner = std::unique_ptr<T, destroyer<T, destroy>>;

using context = owner<gf_context, gf_context_destroy>;
using pipeline = owner<gf_pipeline, gf_pipeline_destroy>;
using plan = owner<gf_plan, gf_plan_destroy>;
using exec = owner<gf_exec, gf_exec_destroy>;
using batch = owner<gf_batch, gf_batch_destroy>;
using picture = owner<gf_picture, gf_picture_destroy>; /* this and those below: libgpufilter_io */
using reader = owner<gf_reader, gf_reader_close>;
using writer = owner<gf_writer, gf_writer_abort>;

template <typename F, typename... Arguments> void call(F function, Arguments... arguments)
{
    gf_error failure = GF_ERROR_INIT;
    if (function(arguments..., &failure) != GF_OK) {
        throw error(failure);
    }
}

/* Calls a function that makes an object, as its last argument but one, and owns it. */
template <typename Owner, typename F, typename... Arguments> Owner make(F function, Arguments... arguments)
{
    typename Owner::pointer object = nullptr;
    call(function, arguments..., &object);
    return Owner(object);
}

/* gf_writer_commit: the file appears, or an exception says why not. The writer is gone in any case. */
inline void commit(writer &&written)
{
    gf_writer *taken = written.release();
    call(gf_writer_commit, &taken);
}

} // namespace gpufilter

#endif
