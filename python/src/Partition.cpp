// Divides the result of an operation into parts. The functions return dicts,
// from which pool_mlir/_partition.py makes a Partition.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Partition/Partition.h"
#include "pool/InitAll.h"

#include "Call.h"
#include "Diagnostics.h"
#include "Functions.h"
#include "Kernel.h"
#include "Prepared.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "pool/Dialect/Pool/IR/Pool.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::python;

namespace {
using TypeAndShape = std::pair<std::string, std::vector<int64_t>>;
/// Says how a dimension is divided: not at all, into a number of parts, or into
/// parts of given sizes.
using Cut = std::optional<std::variant<int64_t, std::vector<int64_t>>>;
} // namespace

/// Maximum number of parts of a dimension. All their sizes are kept in memory.
static constexpr int64_t kMaxParts = 1 << 24;

/// Returns the sizes of `count` parts of a dimension of `extent` elements.
/// Raises ValueError with a message that begins with `what` unless `count` is 1
/// to kMaxParts.
static std::vector<int64_t> makeEqualParts(const std::string &what,
                                           int64_t extent, int64_t count) {
  if (count < 1 || count > kMaxParts)
    raise(PyExc_ValueError,
          what + ": there are " + llvm::Twine(count) + " parts, must be at " +
              (count < 1 ? "least 1" : "most " + llvm::Twine(kMaxParts)));
  SmallVector<int64_t> sizes = getEqualParts(extent, count);
  return {sizes.begin(), sizes.end()};
}

/// Returns the sizes of the parts of dimension `d`, which has `extent`
/// elements. Without a cut there is one part. Does not check given sizes.
static SmallVector<int64_t> getSizes(StringRef operation, const Cut &cut,
                                     int64_t extent, size_t d) {
  if (!cut)
    return {extent};
  if (const auto *sizes = std::get_if<std::vector<int64_t>>(&*cut))
    return llvm::to_vector(*sizes);
  return llvm::to_vector(makeEqualParts(
      ("'" + operation + "' op cannot be cut in dimension " + llvm::Twine(d))
          .str(),
      extent, std::get<int64_t>(*cut)));
}

static nb::tuple makeRange(const PartRange &range) {
  return nb::make_tuple(range.offset, range.getEnd());
}

static nb::tuple makeTuple(ArrayRef<int64_t> values) {
  nb::list list;
  for (int64_t value : values)
    list.append(value);
  return nb::tuple(list);
}

/// Returns the keyword of an attribute such as `#pool.nan_mode<ignore>`.
static std::string getKeyword(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return StringRef(text).split('<').second.drop_back().str();
}

/// Returns the attributes of `op` by name, absent ones with their defaults. A
/// value is an integer, a keyword, or a tuple with an integer for each spatial
/// dimension.
static nb::dict makeAttributes(Operation *op) {
  nb::dict dict;
  for (NamedAttribute attribute :
       cast<DictionaryAttr>(op->getPropertiesAsAttribute())) {
    nb::object value;
    if (auto list = dyn_cast<DenseI64ArrayAttr>(attribute.getValue()))
      value = makeTuple(list);
    else if (auto integer = dyn_cast<IntegerAttr>(attribute.getValue()))
      value = nb::int_(integer.getInt());
    else if (!isa<DenseI32ArrayAttr>(attribute.getValue()))
      value = nb::cast(getKeyword(attribute.getValue()));
    if (value.is_valid())
      dict[attribute.getName().str().c_str()] = value;
  }
  if (auto windowed = dyn_cast<WindowAttrsOpInterface>(op)) {
    // Absent lists are empty in the properties: replace them by their defaults.
    WindowAttrs window = windowed.getWindow();
    auto add = [&](const char *name, int64_t WindowDim::*member) {
      nb::list entries;
      for (unsigned i = 0; i < window.getNumSpatialDims(); ++i)
        entries.append(window.getDim(i).*member);
      dict[name] = nb::tuple(entries);
    };
    add("strides", &WindowDim::stride);
    add("dilations", &WindowDim::dilation);
    add("pads_begin", &WindowDim::padBegin);
    add("pads_end", &WindowDim::padEnd);
  }
  return dict;
}

/// Converts dimension `d` of `partition` to a dict. In each of its `parts`, a
/// range is a pair (begin, end).
static nb::dict makeDict(const Partition &partition, unsigned d) {
  const PartitionDim &dim = partition.dims[d];
  const ResolvedDim &window = dim.window;
  nb::list parts;
  for (const PartDim &part : dim.parts)
    parts.append(nb::make_tuple(makeRange(part.result), makeRange(part.input),
                                makeRange(part.windows), part.padBegin,
                                part.padEnd));
  nb::dict dict;
  dict["input"] = window.input;
  dict["windows"] = window.output;
  dict["window"] =
      nb::make_tuple(window.kernel, window.stride, window.dilation,
                     window.padBegin, window.padEnd, window.overhang);
  dict["weight"] = dim.indexStride;
  dict["parts"] = nb::tuple(parts);
  dict["input_blocks"] = makeTuple(partition.getInputBlocks(d));
  dict["window_blocks"] = makeTuple(partition.getWindowBlocks(d));
  return dict;
}

/// Returns the partition of the operation `prepared` on operands of these types
/// and shapes, as a dict. `cuts` has an entry for each dimension of the result.
/// Raises ValueError if the arguments do not fit.
static nb::dict makePartition(const Prepared &prepared,
                              const std::vector<TypeAndShape> &operands,
                              std::optional<std::vector<int64_t>> resultShape,
                              const std::vector<Cut> &cuts) {
  Request request = prepared.getRequest();
  for (const auto &[dtype, shape] : operands)
    request.operands.push_back(makeOperand(dtype, shape));
  if (resultShape)
    request.resultShape = Extents(resultShape->begin(), resultShape->end());

  CompileContext context(getExecutionRegistry());
  DiagnosticCollector diagnostics(context);
  OwningOpRef<ModuleOp> module = buildModule(request, context);
  if (!module)
    raise(PyExc_ValueError, diagnostics.getText());
  auto function = *module->getOps<func::FuncOp>().begin();
  Operation *op =
      function.front().getTerminator()->getOperand(0).getDefiningOp();
  auto shape = cast<ShapedType>(op->getResult(0).getType()).getShape();
  SmallVector<SmallVector<int64_t>> sizes;
  for (auto [d, cut] : llvm::enumerate(cuts))
    sizes.push_back(d < shape.size()
                        ? getSizes(request.operation, cut, shape[d], d)
                        : SmallVector<int64_t>());
  FailureOr<Partition> partition = pool::partition(op, sizes);
  if (failed(partition))
    raise(PyExc_ValueError, diagnostics.getText());

  nb::list dims;
  for (unsigned d = 0; d < partition->dims.size(); ++d)
    dims.append(makeDict(*partition, d));
  nb::dict result;
  result["dims"] = nb::tuple(dims);
  result["base"] = partition->base;
  result["needs_all"] = partition->readsWholeOperands;
  result["has_explicit_pads"] = partition->hasExplicitPads;
  result["output_shape"] = makeTuple(shape);
  result["attributes"] = makeAttributes(op);
  return result;
}

/// Divides `range`, a pair (begin, end), at the borders of consecutive blocks
/// with the given `sizes`. Returns (block, begin, end) for each piece.
static nb::list listSources(std::pair<int64_t, int64_t> range,
                            const std::vector<int64_t> &sizes) {
  nb::list result;
  for (const PartSource &source :
       getSources({range.first, range.second - range.first}, sizes))
    result.append(nb::make_tuple(source.block, source.range.offset,
                                 source.range.getEnd()));
  return result;
}

/// Returns the number of positions in each of the windows [begin, end) of a
/// dimension that `divisor` counts. `dim` is a dict of makeDict().
static nb::list countPositions(const nb::dict &dim, const std::string &divisor,
                               int64_t begin, int64_t end) {
  auto window = nb::cast<nb::tuple>(dim["window"]);
  auto get = [&](size_t i) { return nb::cast<int64_t>(window[i]); };
  ResolvedDim resolved{nb::cast<int64_t>(dim["input"]),
                       nb::cast<int64_t>(dim["windows"]),
                       get(0),
                       get(1),
                       get(2),
                       get(3),
                       get(4),
                       get(5)};
  nb::list counts;
  for (int64_t o = begin; o < end; ++o)
    counts.append(getCount(resolved, *symbolizeDivisor(divisor), o));
  return counts;
}

void mlir::pool::python::addPartition(nb::module_ &module) {
  module.def("_partition", &makePartition, "operation"_a, "operands"_a,
             "result_shape"_a.none(), "cuts"_a);
  module.def("_equal_parts", &makeEqualParts, "what"_a, "extent"_a, "count"_a);
  module.def("_sources", &listSources, "range"_a, "sizes"_a);
  module.def("_counts", &countPositions, "dim"_a, "divisor"_a, "begin"_a,
             "end"_a);
}
