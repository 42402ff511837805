// The pass that lowers pooling operations to StableHLO.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HloPlan.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Conversion/Passes.h"
#include "pool/Conversion/UnregisteredStablehlo.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"

namespace mlir::pool {
#define GEN_PASS_DEF_CONVERTPOOLTOSTABLEHLO
#include "pool/Conversion/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Padding before and after one dimension. Negative padding removes elements.
using Edges = std::pair<int64_t, int64_t>;

/// Builds the operations of StableHLO that replace one pooling.
class HloBuilder {
public:
  HloBuilder(RewriterBase &b, HloPlan &plan)
      : b(b), plan(plan), loc(plan.op.getLoc()) {}

  /// Creates the operations and returns the values that replace the results.
  SmallVector<Value> create();

private:
  SmallVector<Value> createExtremum(ExtremumOpInterface op);
  Value createAverage(AvgPoolOp op);
  Value createNorm(LpPoolOp op);
  Value createExtremumGrad(ExtremumGradOpInterface op);
  Value createAverageGrad(AvgPoolGradOp op);

  Value create(StringRef name, Type type, ValueRange operands,
               ArrayRef<NamedAttribute> properties = {}) {
    return hlo::create(b, loc, name, type, operands, properties);
  }
  /// Converts the elements of `value` to `type`.
  Value convert(Value value, Type type);
  Value compare(StringRef direction, Value lhs, Value rhs);
  NamedAttribute getList(StringRef name, ArrayRef<int64_t> list) {
    return b.getNamedAttr(name, b.getDenseI64ArrayAttr(list));
  }
  /// Returns the attribute `name`: a list that has `field` of each dimension.
  NamedAttribute getEach(StringRef name, int64_t ResolvedDim::*field) {
    return getList(name,
                   llvm::map_to_vector(plan.dims, [&](const ResolvedDim &dim) {
                     return dim.*field;
                   }));
  }
  /// Returns the attribute `name`: a list that has `number` for each dimension.
  NamedAttribute getAll(StringRef name, int64_t number) {
    return getList(name, SmallVector<int64_t>(plan.dims.size(), number));
  }
  NamedAttribute getPadding(ArrayRef<Edges> edges);
  /// Returns how many positions before and after the input windows cover in
  /// each dimension. The second number includes the overhang.
  SmallVector<Edges> getEdges() const;

  /// Creates a reduce_window of `inputs`. `body` builds the values that its
  /// region returns. If `isTransposed`, as in a gradient, the strides of the
  /// plan become base dilations.
  SmallVector<Value>
  reduceWindow(ValueRange inputs, ValueRange inits, TypeRange results,
               ArrayRef<Edges> edges, bool isTransposed,
               function_ref<SmallVector<Value>(ValueRange)> body);
  Value reduceBy(StringRef name, Value input, TypedAttr init, Type result,
                 ArrayRef<Edges> edges, bool isTransposed = false);
  /// Fills an empty region with a block that combines two sides. The block's
  /// arguments are scalars of the types `elements` for the left side, then of
  /// the same types for the right side. `body` builds the values that the block
  /// returns.
  void fillBody(Region &region, TypeRange elements,
                function_ref<SmallVector<Value>(ValueRange)> body);

  Value createZero(Type element) {
    return hlo::createScalar(b, loc, getZero(element), element);
  }
  TypedAttr getZero(Type element) {
    return cast<TypedAttr>(b.getZeroAttr(element));
  }

  /// Creates the sum of each window.
  Value createSum(Value input, Type result);
  /// Divides `value`, which has the extents of the output, by `number`. Without
  /// a `number`, divides by the number of elements that `divisor` counts in
  /// each window.
  Value divide(Value value, Divisor divisor, std::optional<int64_t> number);

  RewriterBase &b;
  HloPlan &plan;
  Location loc;
};
} // namespace

static Type getElement(Value value) {
  return getElementTypeOrSelf(value.getType());
}

static RankedTensorType withElement(Type type, Type element) {
  return RankedTensorType::get(cast<RankedTensorType>(type).getShape(),
                               element);
}

Value HloBuilder::convert(Value value, Type type) {
  if (getElement(value) == type)
    return value;
  return create("convert", withElement(value.getType(), type), value);
}

Value HloBuilder::compare(StringRef direction, Value lhs, Value rhs) {
  Type element = getElement(lhs);
  StringRef kind = isa<FloatType>(element)       ? "FLOAT"
                   : element.isUnsignedInteger() ? "UNSIGNED"
                                                 : "SIGNED";
  return create(
      "compare", withElement(lhs.getType(), b.getI1Type()), {lhs, rhs},
      {b.getNamedAttr(
           "comparison_direction",
           hlo::getOpaque(b.getContext(), "comparison_direction " + direction)),
       b.getNamedAttr(
           "compare_type",
           hlo::getOpaque(b.getContext(), "comparison_type " + kind))});
}

NamedAttribute HloBuilder::getPadding(ArrayRef<Edges> edges) {
  SmallVector<int64_t> pairs;
  for (auto [low, high] : edges)
    pairs.append({low, high});
  auto type = RankedTensorType::get({static_cast<int64_t>(edges.size()), 2},
                                    b.getI64Type());
  return b.getNamedAttr("padding",
                        DenseIntElementsAttr::get(type, ArrayRef(pairs)));
}

SmallVector<Edges> HloBuilder::getEdges() const {
  return llvm::map_to_vector(plan.dims, [](const ResolvedDim &dim) {
    return Edges{dim.padBegin, dim.getCoveredEnd()};
  });
}

void HloBuilder::fillBody(Region &region, TypeRange elements,
                          function_ref<SmallVector<Value>(ValueRange)> body) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Type> types;
  for (unsigned side = 0; side < 2; ++side)
    for (Type element : elements)
      types.push_back(RankedTensorType::get({}, element));
  Block *block = b.createBlock(&region, {}, types,
                               SmallVector<Location>(types.size(), loc));
  SmallVector<Value> results = body(block->getArguments());
  OperationState state(loc, "stablehlo.return", results, {});
  b.create(state);
}

SmallVector<Value>
HloBuilder::reduceWindow(ValueRange inputs, ValueRange inits, TypeRange results,
                         ArrayRef<Edges> edges, bool isTransposed,
                         function_ref<SmallVector<Value>(ValueRange)> body) {
  SmallVector<Value> operands(inputs);
  operands.append(inits.begin(), inits.end());
  OperationState state(loc, "stablehlo.reduce_window", operands, results);
  state.propertiesAttr = b.getDictionaryAttr(
      {getPadding(edges), getEach("window_dilations", &ResolvedDim::dilation),
       getEach("window_dimensions", &ResolvedDim::kernel),
       getEach(isTransposed ? "base_dilations" : "window_strides",
               &ResolvedDim::stride),
       getAll(isTransposed ? "window_strides" : "base_dilations", 1)});
  fillBody(*state.addRegion(),
           llvm::map_to_vector(inputs, [](Value v) { return getElement(v); }),
           body);
  return llvm::to_vector_of<Value>(b.create(state)->getResults());
}

Value HloBuilder::reduceBy(StringRef name, Value input, TypedAttr init,
                           Type result, ArrayRef<Edges> edges,
                           bool isTransposed) {
  Value start = hlo::createScalar(b, loc, init, getElement(input));
  return reduceWindow(input, start, result, edges, isTransposed,
                      [&](ValueRange values) -> SmallVector<Value> {
                        return {create(name, values[0].getType(), values)};
                      })
      .front();
}

//===----------------------------------------------------------------------===//
// Extrema
//===----------------------------------------------------------------------===//

/// Returns the identity of `reduction` as an attribute of type `element`, which
/// may be signless, signed or unsigned.
static TypedAttr getStart(OpBuilder &b, Type element, Reduction reduction) {
  TypedAttr identity = getIdentity(b, element, reduction);
  if (auto integer = dyn_cast<IntegerAttr>(identity))
    return IntegerAttr::get(element, integer.getValue());
  return identity;
}

SmallVector<Value> HloBuilder::createExtremum(ExtremumOpInterface op) {
  const auto [ownAxis, padValue, nanMode] = op.getModes();
  (void)ownAxis;
  Reduction reduction = op.getReduction();
  Value input = op.getInput();
  auto type = cast<RankedTensorType>(input.getType());
  Type element = type.getElementType();
  TypedAttr start = getStart(b, element, reduction);
  StringRef name = getNoun(reduction);
  Type result = op.getValues().getType();
  SmallVector<Edges> edges = getEdges();
  if (isa<FloatType>(element) && ignoresNaN(nanMode))
    input = create("select", type,
                   {compare("NE", input, input),
                    hlo::createSplat(b, loc, start, type), input});
  if (isZero(padValue) && plan.coversPadding()) {
    SmallVector<int64_t> low, high, shape(type.getShape());
    for (auto [extent, edge] : llvm::zip_equal(shape, edges)) {
      low.push_back(edge.first);
      high.push_back(edge.second);
      extent += edge.first + edge.second;
      edge = {0, 0};
    }
    input = create("pad", type.clone(shape), {input, createZero(element)},
                   {getList("edge_padding_high", high),
                    getList("edge_padding_low", low),
                    getAll("interior_padding", 0)});
  }
  if (!op.getIndices())
    return {reduceBy(name, input, start, result, edges)};

  // Number the elements in row-major order over the dimensions from `axis` on.
  // To find the first of equal elements, the numbers must distinguish positions
  // in every dimension that has a window.
  Type index = getElement(op.getIndices());
  int64_t axis = std::min<int64_t>(op.getNormalizedAxis(),
                                   op.getWindow().getSpatialDim(0));
  ArrayRef<int64_t> block = type.getShape().drop_front(axis);
  int64_t count = *getProduct(block);
  Value line = create("iota", RankedTensorType::get({count}, index), {},
                      b.getNamedAttr("iota_dimension", b.getI64IntegerAttr(0)));
  Value positions = hlo::createBroadcast(
      b, loc, create("reshape", RankedTensorType::get(block, index), line),
      withElement(type, index),
      llvm::to_vector(llvm::seq<int64_t>(axis, type.getRank())));
  Value starts[] = {
      hlo::createScalar(b, loc, start, element),
      hlo::createScalar(
          b, loc,
          b.getIntegerAttr(
              index, APInt::getSignedMaxValue(index.getIntOrFloatBitWidth())),
          index)};
  auto choose = [&](ValueRange v) -> SmallVector<Value> {
    auto logic = [&](StringRef word, Value lhs, Value rhs) {
      return create(word, lhs.getType(), {lhs, rhs});
    };
    Value better = compare(isMaximum(reduction) ? "GT" : "LT", v[0], v[2]);
    Value tie = compare("EQ", v[0], v[2]);
    if (isa<FloatType>(element)) {
      // A NaN beats every number, and the first of several NaNs wins.
      Value left = compare("NE", v[0], v[0]), right = compare("NE", v[2], v[2]);
      Value isNumber = create("not", right.getType(), right);
      better = logic("or", better, logic("and", left, isNumber));
      tie = logic("or", tie, logic("and", left, right));
    }
    Value isFirst = logic("and", tie, compare("LT", v[1], v[3]));
    Value isLeft = logic("or", better, isFirst);
    return {create("select", v[0].getType(), {isLeft, v[0], v[2]}),
            create("select", v[1].getType(), {isLeft, v[1], v[3]})};
  };
  Type indices = op.getIndices().getType();
  SmallVector<Value> results =
      reduceWindow({input, positions}, starts, {result, indices}, edges,
                   /*isTransposed=*/false, choose);
  if (axis == op.getNormalizedAxis())
    return results;
  int64_t size =
      *getProduct(type.getShape().drop_front(op.getNormalizedAxis()));
  Value divisor = hlo::createSplat(b, loc, b.getIntegerAttr(index, size),
                                   cast<RankedTensorType>(indices));
  results[1] = create("remainder", indices, {results[1], divisor});
  return results;
}

Value HloBuilder::createExtremumGrad(ExtremumGradOpInterface op) {
  Type type = op->getResult(0).getType();
  Type element = getElementTypeOrSelf(type);
  // Sum narrow types in f32 and round once.
  Type wide = getFloatAccumulator(element);
  Value input = convert(op.getInput(), wide);
  Value gradient = convert(op.getOutputGrad(), wide);
  OperationState state(loc, "stablehlo.select_and_scatter",
                       {input, gradient, createZero(wide)},
                       {withElement(type, wide)});
  state.propertiesAttr =
      b.getDictionaryAttr({getPadding(getEdges()),
                           getEach("window_dimensions", &ResolvedDim::kernel),
                           getEach("window_strides", &ResolvedDim::stride)});
  bool isMax = isMaximum(op.getReduction());
  bool propagates = !ignoresNaN(op.getNanMode());
  fillBody(*state.addRegion(), wide, [&](ValueRange v) -> SmallVector<Value> {
    // Select v[0] if it is at least as good as v[1]. Also select it if it is
    // NaN and NaN propagates, or if v[1] is NaN and does not propagate.
    Value stays = compare(isMax ? "GE" : "LE", v[0], v[1]);
    Value nan = propagates ? v[0] : v[1];
    return {create("or", stays.getType(), {stays, compare("NE", nan, nan)})};
  });
  fillBody(*state.addRegion(), wide, [&](ValueRange v) -> SmallVector<Value> {
    return {create("add", v[0].getType(), v)};
  });
  return convert(b.create(state)->getResult(0), element);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

Value HloBuilder::createSum(Value input, Type result) {
  Type element = getElement(input);
  return reduceBy("add", input, getZero(element), withElement(result, element),
                  getEdges());
}

Value HloBuilder::divide(Value value, Divisor divisor,
                         std::optional<int64_t> number) {
  auto type = cast<RankedTensorType>(value.getType());
  Type element = type.getElementType();
  if (!number && (countsOverhang(divisor) || !plan.coversPadding()))
    number = getProduct(llvm::map_to_vector(
        plan.dims, [](const ResolvedDim &dim) { return dim.kernel; }));
  if (number == 1)
    return value;
  if (number)
    return create("divide", type,
                  {value, hlo::createSplat(
                              b, loc, b.getFloatAttr(element, *number), type)});
  // Sum ones over the same windows: one for each element that counts.
  SmallVector<int64_t> ones, counts;
  SmallVector<Edges> edges;
  for (const ResolvedDim &dim : plan.dims) {
    bool hasWindow = dim.kernel != 1 || dim.stride != 1 || dim.padBegin != 0 ||
                     dim.getCoveredEnd() != 0;
    counts.push_back(hasWindow ? dim.output : 1);
    if (!countsPadding(divisor)) {
      ones.push_back(hasWindow ? dim.input : 1);
      edges.emplace_back(dim.padBegin, dim.getCoveredEnd());
    } else {
      // ceil_torch may drop the last window. Then windows cover only a part of
      // the end padding, so count only this part.
      int64_t padEnd = std::min(dim.padEnd, dim.getCoveredEnd());
      ones.push_back(hasWindow ? dim.padBegin + dim.input + padEnd : 1);
      edges.emplace_back(0, dim.overhang);
    }
  }
  Value input = hlo::createSplat(b, loc, b.getFloatAttr(element, 1),
                                 RankedTensorType::get(ones, element));
  Value count = reduceBy("add", input, getZero(element),
                         RankedTensorType::get(counts, element), edges);
  Value divisors = hlo::createBroadcast(
      b, loc, count, type, llvm::to_vector(llvm::seq<int64_t>(counts.size())));
  return create("divide", type, {value, divisors});
}

Value HloBuilder::createAverage(AvgPoolOp op) {
  Type element = getElement(op.getInput());
  Value input = convert(op.getInput(), getFloatAccumulator(element));
  Value sum = createSum(input, op.getType());
  return convert(divide(sum, op.getDivisor(), op.getDivisorOverride()),
                 element);
}

Value HloBuilder::createNorm(LpPoolOp op) {
  Type element = getElement(op.getInput());
  Value input = convert(op.getInput(), getFloatAccumulator(element));
  bool isSquare = op.getP() == 2;
  Value power = isSquare ? create("multiply", input.getType(), {input, input})
                         : create("abs", input.getType(), input);
  Value sum = createSum(power, op.getType());
  if (isSquare)
    sum = create("sqrt", sum.getType(), sum);
  return convert(sum, element);
}

Value HloBuilder::createAverageGrad(AvgPoolGradOp op) {
  Type type = op.getInputGrad().getType();
  Type element = getElementTypeOrSelf(type);
  Type wide = getFloatAccumulator(element);
  Value gradient = convert(op.getOutputGrad(), wide);
  gradient = divide(gradient, op.getDivisor(), op.getDivisorOverride());
  // Element i of the result is the sum of the gradients of all windows that
  // cover it. This is a window sum over the output's gradient with stride - 1
  // zeros between its elements.
  SmallVector<Edges> edges;
  for (const ResolvedDim &dim : plan.dims) {
    int64_t reach = (dim.kernel - 1) * dim.dilation;
    int64_t low = reach - dim.padBegin;
    edges.emplace_back(
        low, dim.input - ((dim.output - 1) * dim.stride + 1 + low - reach));
  }
  Value sum = reduceBy("add", gradient, getZero(wide), withElement(type, wide),
                       edges, /*isTransposed=*/true);
  return convert(sum, element);
}

SmallVector<Value> HloBuilder::create() {
  Operation *op = plan.op;
  if (auto extremum = dyn_cast<ExtremumOpInterface>(op))
    return createExtremum(extremum);
  if (auto gradient = dyn_cast<ExtremumGradOpInterface>(op))
    return {createExtremumGrad(gradient)};
  if (auto gradient = dyn_cast<AvgPoolGradOp>(op))
    return {createAverageGrad(gradient)};
  if (auto norm = dyn_cast<LpPoolOp>(op))
    return {createNorm(norm)};
  return {createAverage(cast<AvgPoolOp>(op))};
}

namespace {
struct ConvertPoolToStablehloPass
    : pool::impl::ConvertPoolToStablehloBase<ConvertPoolToStablehloPass> {
  void runOnOperation() override {
    // Check all operations first, so that a failure changes nothing.
    SmallVector<HloPlan> plans;
    bool refused = false;
    getOperation()->walk([&](Operation *op) {
      if (!isa_and_present<PoolDialect>(op->getDialect()))
        return;
      FailureOr<HloPlan> plan = planHlo(op);
      if (succeeded(plan))
        plans.push_back(std::move(*plan));
      else
        refused = true;
    });
    if (refused)
      return signalPassFailure();
    if (plans.empty())
      return markAllAnalysesPreserved();
    if (!getContext().allowsUnregisteredDialects()) {
      getOperation()->emitError(
          "StableHLO is not registered: allow unregistered dialects");
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    for (HloPlan &plan : plans) {
      rewriter.setInsertionPoint(plan.op);
      rewriter.replaceOp(plan.op, HloBuilder(rewriter, plan).create());
    }
    numLowered += plans.size();
  }
};
} // namespace
