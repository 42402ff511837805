// Implements pool.window_reduce, the operation into which pooling is
// decomposed: syntax, verification, effects and canonicalization.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Clauses.h"

#include "pool/Dialect/Pool/IR/WindowReduceInference.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pool;
using llvm::formatv;

//===----------------------------------------------------------------------===//
// Form
//===----------------------------------------------------------------------===//

ParseResult
pool::parsePositions(OpAsmParser &parser,
                     SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values,
                     DenseI64ArrayAttr &integers) {
  integers = parser.getBuilder().getDenseI64ArrayAttr({});
  if (failed(parser.parseOptionalKeyword("positions")))
    return success();
  return parseDynamicIndexList(parser, values, integers);
}

void pool::printPositions(OpAsmPrinter &printer, Operation *op,
                          OperandRange values, DenseI64ArrayAttr integers) {
  if (!integers || integers.empty())
    return;
  printer << "positions ";
  printDynamicIndexList(printer, op, values, integers.asArrayRef());
}

/// Adds operands and result types to `state`, and the properties that follow
/// from the operands.
static void addOperands(OpBuilder &b, OperationState &state, Value input,
                        ValueRange outs, ArrayRef<OpFoldResult> padsBegin,
                        ArrayRef<OpFoldResult> padsEnd,
                        ArrayRef<OpFoldResult> positions) {
  auto [staticBegin, dynamicBegin] = decomposeMixedValues(padsBegin);
  auto [staticEnd, dynamicEnd] = decomposeMixedValues(padsEnd);
  auto [staticPositions, dynamicPositions] = decomposeMixedValues(positions);
  state.addOperands(input);
  state.addOperands(outs);
  state.addOperands(dynamicBegin);
  state.addOperands(dynamicEnd);
  state.addOperands(dynamicPositions);
  auto &properties = state.getOrAddProperties<WindowReduceOp::Properties>();
  properties.operandSegmentSizes = {
      1, int32_t(outs.size()), int32_t(dynamicBegin.size()),
      int32_t(dynamicEnd.size()), int32_t(dynamicPositions.size())};
  properties.static_pads_begin = b.getDenseI64ArrayAttr(staticBegin);
  properties.static_pads_end = b.getDenseI64ArrayAttr(staticEnd);
  properties.static_positions = b.getDenseI64ArrayAttr(staticPositions);
  for (Value out : outs)
    if (isa<TensorType>(out.getType()))
      state.addTypes(out.getType());
}

void WindowReduceOp::build(OpBuilder &b, OperationState &state, Value input,
                           ValueRange outs, Reduction reduction,
                           const WindowAttrs &window,
                           ArrayRef<OpFoldResult> padsBegin,
                           ArrayRef<OpFoldResult> padsEnd,
                           ArrayRef<OpFoldResult> positions) {
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.reduction = ReductionAttr::get(b.getContext(), reduction);
  SmallVector<int64_t> kernel, strides, dilations;
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    WindowDim dim = window.getDim(i);
    kernel.push_back(dim.kernel);
    strides.push_back(dim.stride);
    dilations.push_back(dim.dilation);
  }
  properties.kernel = b.getDenseI64ArrayAttr(kernel);
  properties.strides = b.getDenseI64ArrayAttr(strides);
  properties.dilations = b.getDenseI64ArrayAttr(dilations);
  properties.layout = LayoutAttr::get(b.getContext(), window.layout);
  addOperands(b, state, input, outs, padsBegin, padsEnd, positions);
}

WindowReduceOp WindowReduceOp::createOn(OpBuilder &b, Location loc, Value input,
                                        ValueRange outs,
                                        ArrayRef<OpFoldResult> padsBegin,
                                        ArrayRef<OpFoldResult> padsEnd,
                                        ArrayRef<OpFoldResult> positions) {
  OperationState state(loc, getOperationName());
  state.getOrAddProperties<Properties>() = getProperties();
  state.addAttributes(llvm::to_vector((*this)->getDiscardableAttrs()));
  addOperands(b, state, input, outs, padsBegin, padsEnd, positions);
  return cast<WindowReduceOp>(b.create(state));
}

SmallVector<OpFoldResult> WindowReduceOp::getMixedPadsBegin() {
  return getMixedValues(getStaticPadsBegin(), getPadsBegin(), getContext());
}

SmallVector<OpFoldResult> WindowReduceOp::getMixedPadsEnd() {
  return getMixedValues(getStaticPadsEnd(), getPadsEnd(), getContext());
}

SmallVector<OpFoldResult> WindowReduceOp::getMixedPositions() {
  return getMixedValues(getStaticPositions(), getPositions(), getContext());
}

WindowAttrs WindowReduceOp::getWindow() {
  WindowAttrs window;
  window.kernel = getKernel();
  window.strides = getStrides();
  window.dilations = getDilations();
  window.layout = getLayout();
  return window;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Checks WindowReduce.C2, WindowReduce.C3 and that the kernel is not empty
/// (WindowReduce.C1).
static LogicalResult verifyLists(WindowReduceOp op) {
  size_t n = op.getKernel().size();
  if (n == 0)
    return op.emitOpError(
        "(WindowReduce.C1) kernel is empty, must name at least one dimension");
  const std::pair<StringRef, ArrayRef<int64_t>> lists[] = {
      {"strides", op.getStrides()},
      {"dilations", op.getDilations()},
      {"pads_begin", op.getStaticPadsBegin()},
      {"pads_end", op.getStaticPadsEnd()}};
  for (auto [name, list] : lists)
    if (list.size() != n)
      return op.emitOpError("(WindowReduce.C2) ")
             << name << " has " << list.size() << " entries, kernel has " << n;
  size_t numPositions = op.hasPositions() ? n + 1 : 0;
  if (op.getStaticPositions().size() != numPositions)
    return op.emitOpError("(WindowReduce.C2) positions has ")
           << op.getStaticPositions().size() << " entries, must have "
           << numPositions;
  const std::tuple<StringRef, ArrayRef<int64_t>, OperandRange> mixed[] = {
      {"pads_begin", op.getStaticPadsBegin(), op.getPadsBegin()},
      {"pads_end", op.getStaticPadsEnd(), op.getPadsEnd()},
      {"positions", op.getStaticPositions(), op.getPositions()}};
  for (const auto &[name, list, values] : mixed)
    if (llvm::count_if(list, ShapedType::isDynamic) !=
        static_cast<int64_t>(values.size()))
      return op.emitOpError("(WindowReduce.C2) ")
             << name << " needs one operand for each dynamic entry";

  WindowAttrs window = op.getWindow();
  for (unsigned i = 0; i < n; ++i) {
    WindowDim dim = window.getDim(i);
    if (checkDim(dim))
      return op.emitOpError("(WindowReduce.C3) spatial dimension ")
             << i << ": kernel " << dim.kernel << ", stride " << dim.stride
             << " and dilation " << dim.dilation
             << " must be at least 1, and the window's extent 64 bits wide";
    for (ArrayRef<int64_t> pads :
         {op.getStaticPadsBegin(), op.getStaticPadsEnd()})
      if (!ShapedType::isDynamic(pads[i]) && pads[i] < 0)
        return op.emitOpError("(WindowReduce.C3) spatial dimension ")
               << i << ": a pad is " << pads[i] << ", must be at least 0";
  }
  return success();
}

/// True if `padValue` is allowed for a sum: `zero` or `neg_inf`. With both, the
/// padding of a sum adds nothing.
static bool isPaddingOfSum(PadValue padValue) {
  switch (padValue) {
  case PadValue::NegInf:
  case PadValue::Zero:
    return true;
  case PadValue::PosInf:
    return false;
  }
  llvm_unreachable("all values of padding handled");
}

/// Rejects attributes that have no meaning for the reduction (part of
/// WindowReduce.C7).
static LogicalResult verifyModes(WindowReduceOp op) {
  Reduction reduction = op.getReduction();
  auto refuse = [&](StringRef attribute) {
    return op.emitOpError("(WindowReduce.C7) ")
           << attribute << " has no meaning for reduction "
           << stringifyReduction(reduction);
  };
  if (!isExtremum(reduction) && op.getPadValue() &&
      !isPaddingOfSum(*op.getPadValue()))
    return refuse("pad_value pos_inf");
  if (!isExtremum(reduction) && !ignoresNaN(op.getNanMode()))
    return refuse("nan_mode");
  if (reduction != Reduction::PowerSum && op.getP() != 1)
    return refuse("p");
  return success();
}

/// Checks WindowReduce.C5, the element types, and the padding of extrema (part
/// of WindowReduce.C7).
static LogicalResult verifyElementTypes(WindowReduceOp op) {
  Type input = getElementTypeOrSelf(op.getInput().getType());
  Type output = getElementTypeOrSelf(op.getOuts()[0].getType());
  if (isExtremum(op.getReduction())) {
    if (input != output)
      return op.emitOpError("(WindowReduce.C5) the ")
             << getNoun(op.getReduction()) << " of " << input << " must be "
             << input << ", not " << output;
    if (op.hasPositions() &&
        !getElementTypeOrSelf(op.getOuts()[1].getType()).isInteger(64))
      return op.emitOpError("(WindowReduce.C5) positions must be i64");
    PadValue neverChosen = getNeverChosen(op.getReduction());
    PadValue padValue = op.getPadValue().value_or(neverChosen);
    if (padValue != neverChosen && !isZero(padValue))
      return op.emitOpError("(WindowReduce.C7) pad_value is ")
             << stringifyPadValue(padValue)
             << ", which would always be chosen, must be "
             << stringifyPadValue(neverChosen) << " or zero";
    if (op.hasPositions() && padValue != neverChosen)
      return op.emitOpError(
                 "(WindowReduce.C7) positions are defined for pad_value = ")
             << stringifyPadValue(neverChosen) << " only";
    return success();
  }
  if (op.hasPositions())
    return op.emitOpError("(WindowReduce.C5) a sum has no positions");
  bool isFloat = isa<FloatType>(input);
  bool extends =
      isFloat
          ? input == output ||
                (isa<FloatType>(output) &&
                 output.getIntOrFloatBitWidth() > input.getIntOrFloatBitWidth())
          : output.isSignlessInteger() &&
                output.getIntOrFloatBitWidth() >= input.getIntOrFloatBitWidth();
  if (!extends)
    return op.emitOpError("(WindowReduce.C5) ")
           << input << " does not extend to " << output;
  if (op.getReduction() == Reduction::PowerSum && (!isFloat || op.getP() < 1))
    return op.emitOpError("(WindowReduce.C5) a power sum is of floats with p "
                          "at least 1, not of ")
           << input << " with p = " << op.getP();
  return success();
}

/// Checks WindowReduce.C6: positions ascend in row-major order, as far as they
/// are known. Lowerings rely on this order: among equal elements, they choose
/// the element with the smallest position.
static LogicalResult verifyPositions(WindowReduceOp op) {
  ArrayRef<int64_t> positions = op.getStaticPositions();
  if (positions.empty())
    return success();
  if (!ShapedType::isDynamic(positions[0]) && positions[0] < 0)
    return op.emitOpError("(WindowReduce.C6) positions begin with ")
           << positions[0] << ", must be at least 0";
  auto input = cast<ShapedType>(op.getInput().getType());
  WindowAttrs window = op.getWindow();
  // `growth` is a lower bound of the difference between the positions of the
  // last and of the first element over the dimensions after dimension i.
  int64_t growth = 0;
  for (unsigned i = window.getNumSpatialDims(); i-- > 0;) {
    int64_t weight = positions[i + 1];
    int64_t extent = input.getDimSize(window.getSpatialDim(i));
    bool isKnown = !ShapedType::isDynamic(extent);
    // Skip a dimension of at most one element: its weight is only multiplied by
    // 0.
    if (ShapedType::isDynamic(weight) || (isKnown && extent <= 1))
      continue;
    if (weight < growth)
      return op.emitOpError("(WindowReduce.C6) spatial dimension ")
             << i << ": positions grow by " << weight << ", must by at least "
             << growth << " to ascend in row-major order";
    int64_t sum;
    if (isKnown && (llvm::MulOverflow(weight, extent - 1, sum) ||
                    llvm::AddOverflow(growth, sum, growth)))
      return op.emitOpError("(WindowReduce.C6) spatial dimension ")
             << i << ": positions leave 64 bits";
  }
  int64_t last;
  if (!ShapedType::isDynamic(positions[0]) &&
      llvm::AddOverflow(positions[0], growth, last))
    return op.emitOpError("(WindowReduce.C6) positions from ")
           << positions[0] << " leave 64 bits";
  return success();
}

LogicalResult pool::verifyWindowReduceShape(ErrorFn emitError,
                                            const WindowAttrs &window,
                                            ArrayRef<int64_t> input,
                                            ArrayRef<int64_t> output) {
  for (unsigned d : {0u, window.getChannelDim()})
    if (failed(verifyCompatibleShape({input[d]}, {output[d]})))
      return emitError(formatv("(WindowReduce.C1) dimension {0}: the input has "
                               "{1} and the output {2}",
                               d, input[d], output[d]));
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    unsigned d = window.getSpatialDim(i);
    WindowDim dim = window.getDim(i);
    if (llvm::is_contained({input[d], output[d], dim.padBegin, dim.padEnd},
                           ShapedType::kDynamic))
      continue;
    // Resolve the dimension with rounding floor, which gives the largest number
    // of windows that fit.
    RuleOr<ResolvedDim> most = resolveDim(input[d], dim, WindowModes());
    int64_t room = most ? most->output : 0;
    if (output[d] > room)
      return emitError(
          formatv("(WindowReduce.C4) dimension {0}: {1} windows leave the "
                  "padded input, which has room for {2}",
                  d, output[d], room));
  }
  return success();
}

LogicalResult WindowReduceOp::verify() {
  if (getOuts().empty() || getOuts().size() > 2)
    return emitOpError("(WindowReduce.C5) has ")
           << getOuts().size() << " outputs, must have one or two";
  if (failed(verifyLists(*this)))
    return failure();

  auto input = cast<ShapedType>(getInput().getType());
  WindowAttrs window = getWindow();
  window.padsBegin = getStaticPadsBegin();
  window.padsEnd = getStaticPadsEnd();
  bool isTensor = isa<TensorType>(input);
  if (hasPositions() && failed(verifyCompatibleShapes(getOuts().getTypes())))
    return emitOpError("(WindowReduce.C1) values ")
           << getOuts()[0].getType() << " and positions "
           << getOuts()[1].getType() << " have different shapes";
  for (Type type : getOperandTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      if (tensor.getEncoding())
        return emitOpError(
            "(WindowReduce.C1) tensor encodings are not supported");
  for (Value out : getOuts()) {
    auto type = cast<ShapedType>(out.getType());
    if (!input.hasRank() || !type.hasRank() ||
        input.getRank() != window.getRank() ||
        type.getRank() != window.getRank() ||
        isa<TensorType>(type) != isTensor || isa<MemRefType>(type) == isTensor)
      return emitOpError("(WindowReduce.C1) ")
             << input << " and " << type << " must have rank "
             << window.getRank() << ", both as tensors or both as buffers";
    OpErrors emitError{*this};
    if (failed(verifyWindowReduceShape(emitError, window, input.getShape(),
                                       type.getShape())))
      return failure();
  }
  if (failed(verifyModes(*this)) || failed(verifyElementTypes(*this)))
    return failure();
  return verifyPositions(*this);
}

//===----------------------------------------------------------------------===//
// Effects and shapes
//===----------------------------------------------------------------------===//

void WindowReduceOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (hasPureTensorSemantics())
    return;
  effects.emplace_back(MemoryEffects::Read::get(), &getInputMutable());
  for (OpOperand &out : getOutsMutable())
    effects.emplace_back(MemoryEffects::Write::get(), &out);
}

//===----------------------------------------------------------------------===//
// Canonicalization
//===----------------------------------------------------------------------===//

/// Turns operands for pads and positions that are constants into attributes.
/// Keeps negative pads as operands, because the verifier would reject them as
/// attributes.
static LogicalResult foldConstantLists(WindowReduceOp op,
                                       PatternRewriter &rewriter) {
  SmallVector<OpFoldResult> padsBegin = op.getMixedPadsBegin();
  SmallVector<OpFoldResult> padsEnd = op.getMixedPadsEnd();
  SmallVector<OpFoldResult> positions = op.getMixedPositions();
  bool changed = succeeded(foldDynamicIndexList(padsBegin, true));
  changed |= succeeded(foldDynamicIndexList(padsEnd, true));
  changed |= succeeded(foldDynamicIndexList(positions));
  if (!changed)
    return rewriter.notifyMatchFailure(op, "no constant operand");
  auto folded = op.createOn(rewriter, op.getLoc(), op.getInput(), op.getOuts(),
                            padsBegin, padsEnd, positions);
  rewriter.replaceOp(op, folded.getResults());
  return success();
}

void WindowReduceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                 MLIRContext *) {
  patterns.add(foldConstantLists);
}
