// Makes oneDNN's pooling available to benchmarks/peers/onednn_peer.py by C
// functions.
//
// Supports the C++ interfaces of versions 2 and 3, which describe a primitive
// in different ways. The peer compiles this file if it finds the library and
// its headers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <oneapi/dnnl/dnnl.hpp>

#include <cstdint>
#include <exception>
#include <string>
#include <unordered_map>

using namespace dnnl;

namespace {

/// A primitive bound to its memory, with the name of its implementation.
struct Pooling {
  engine cpu{engine::kind::cpu, 0};
  stream order{cpu};
  primitive run;
  std::unordered_map<int, memory> arguments;
  std::string implementation;
};

/// Message of the last failed call
std::string message;

memory::dims getDims(const int64_t *values, int n) {
  return memory::dims(values, values + n);
}

auto describe(const engine &cpu, algorithm kind, const memory::desc &source,
              const memory::desc &target, const memory::dims &strides,
              const memory::dims &kernel, const memory::dims &gaps,
              const memory::dims &begin, const memory::dims &end) {
#if DNNL_VERSION_MAJOR >= 3
  return pooling_forward::primitive_desc(cpu, prop_kind::forward_inference,
                                         kind, source, target, strides, kernel,
                                         gaps, begin, end);
#else
  return pooling_v2_forward::primitive_desc({prop_kind::forward_inference, kind,
                                             source, target, strides, kernel,
                                             gaps, begin, end},
                                            cpu);
#endif
}

} // namespace

extern "C" {

/// Creates a pooling of `spatial` dimensions; returns null on failure, and
/// `onednn_message` says why. `lists` has the input and output extents, with
/// batch and channels first. Then it has, for each spatial dimension, the
/// stride, the kernel, the number of elements between two taps, and the pads.
/// `type`, `format` and `kind` are oneDNN's numbers of the element type, the
/// layout and the algorithm.
Pooling *onednn_create(int spatial, int type, int format, int kind,
                       const int64_t *lists, void *from, void *to) {
  try {
    auto *pooling = new Pooling;
    int rank = spatial + 2;
    auto element = static_cast<memory::data_type>(type);
    auto tag = static_cast<memory::format_tag>(format);
    memory::desc source(getDims(lists, rank), element, tag);
    memory::desc target(getDims(lists + rank, rank), element, tag);
    const int64_t *window = lists + 2 * rank;
    auto next = [&] {
      memory::dims dims = getDims(window, spatial);
      window += spatial;
      return dims;
    };
    memory::dims strides = next(), kernel = next(), gaps = next();
    memory::dims begin = next(), end = next();
    auto description =
        describe(pooling->cpu, static_cast<algorithm>(kind), source, target,
                 strides, kernel, gaps, begin, end);
    pooling->implementation = description.impl_info_str();
    pooling->run = primitive(description.get());
    pooling->arguments = {{DNNL_ARG_SRC, memory(source, pooling->cpu, from)},
                          {DNNL_ARG_DST, memory(target, pooling->cpu, to)}};
    return pooling;
  } catch (const std::exception &error) {
    message = error.what();
    return nullptr;
  }
}

void onednn_run(Pooling *pooling) {
  pooling->run.execute(pooling->order, pooling->arguments);
  pooling->order.wait();
}

void onednn_destroy(Pooling *pooling) { delete pooling; }

const char *onednn_message() { return message.c_str(); }

const char *onednn_implementation(const Pooling *pooling) {
  return pooling->implementation.c_str();
}

/// Returns the library's version as "major.minor.patch".
const char *onednn_version() {
  static const std::string text = std::to_string(dnnl_version()->major) + "." +
                                  std::to_string(dnnl_version()->minor) + "." +
                                  std::to_string(dnnl_version()->patch);
  return text.c_str();
}

/// Returns oneDNN's number of the element type `name`, or -1 if it has none.
int onednn_type(const char *name) {
  static const std::unordered_map<std::string, memory::data_type> types = {
      {"f16", memory::data_type::f16}, {"bf16", memory::data_type::bf16},
      {"f32", memory::data_type::f32}, {"i32", memory::data_type::s32},
      {"i8", memory::data_type::s8},   {"ui8", memory::data_type::u8},
#if DNNL_VERSION_MAJOR >= 3
      {"f64", memory::data_type::f64},
#endif
  };
  auto it = types.find(name);
  return it == types.end() ? -1 : static_cast<int>(it->second);
}

/// Returns oneDNN's number of a layout, or -1 if it has none. `last` is 1 if
/// channels are last, else 0.
int onednn_format(int spatial, int last) {
  using Tag = memory::format_tag;
  static const Tag tags[3][2] = {
      {Tag::ncw, Tag::nwc}, {Tag::nchw, Tag::nhwc}, {Tag::ncdhw, Tag::ndhwc}};
  return spatial < 1 || spatial > 3 ? -1
                                    : static_cast<int>(tags[spatial - 1][last]);
}

/// Returns oneDNN's number of an algorithm: 0 for the maximum, 1 for the
/// average of the elements inside the input, 2 for the average of all
/// positions.
int onednn_algorithm(int number) {
  static const algorithm kinds[3] = {algorithm::pooling_max,
                                     algorithm::pooling_avg_exclude_padding,
                                     algorithm::pooling_avg_include_padding};
  return static_cast<int>(kinds[number]);
}

} // extern "C"
