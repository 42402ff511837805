// Definitions that the operations share: element types, window parameters and
// their syntax.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_POOLOPBASE_TD
#define POOL_DIALECT_POOL_IR_POOLOPBASE_TD

include "pool/Dialect/Pool/IR/PoolBase.td"
include "pool/Dialect/Pool/IR/PoolEnums.td"
include "pool/Dialect/Pool/IR/PoolInterfaces.td"
include "pool/Dialect/Pool/IR/PoolTypes.td"
include "mlir/IR/Properties.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Pool_IndexElement : AnyTypeOf<[I32, I64], "i32 or i64">;
def Pool_Quantized : Type<CPred<"::mlir::pool::isQuantized($_self)">,
    "uniform quantised (8, 16, 32 bits)">;
def Pool_Tensor : TensorOf<[Pool_Float, Pool_Integer]>;
def Pool_QuantizableTensor
    : TensorOf<[Pool_Float, Pool_Integer, Pool_Quantized]>;
def Pool_RankedTensor : RankedTensorOf<[Pool_Float, Pool_Integer]>;
def Pool_FloatTensor : TensorOf<[Pool_Float]>;
def Pool_RankedFloatTensor : RankedTensorOf<[Pool_Float]>;
def Pool_IndexTensor : TensorOf<[Pool_IndexElement]>;

/// Rejects operands that are buffers, with a message that names an operation
/// for buffers. This check runs before the check of the operands' types.
def Pool_OnTensors : NativeOpTrait<"OnTensors">, StructuralOpTrait {
  let cppNamespace = "::mlir::pool";
}

/// Traits of the operations on tensors with value semantics. Such an operation
/// has no effects, but is not speculatable if a run-time check can reject it.
/// Interfaces whose methods create operations of other dialects are not listed
/// here: they are external models, see Transforms/ExternalModels.h.
defvar Pool_ValueTraits = [
    Pool_OnTensors, NoMemoryEffect,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>];

/// Declares the inference of integer ranges, for operations whose results may
/// be integers.
def Pool_InferRanges : DeclareOpInterfaceMethods<
    InferIntRangeInterface, ["inferResultRangesFromOptional"]>;

/// A 64-bit integer. In the generic form it is an attribute of type i64, and no
/// other type is accepted. Upstream's property accepts an integer of any width
/// and truncates it.
def Pool_I64Prop : IntProp<"int64_t", "64-bit integer"> {
  let convertFromAttribute = [{
    auto integer = ::llvm::dyn_cast_if_present<::mlir::IntegerAttr>($_attr);
    if (!integer || !integer.getType().isSignlessInteger(64))
      return $_diag() << "expected an integer of type i64, not " << $_attr;
    $_storage = integer.getInt();
    return ::mlir::success();
  }];
}

/// A 64-bit integer with a default. Here and in the classes below, `words` say
/// what a property means. The reference and Python's help() show them.
class Pool_DefaultI64<string default, string words>
    : DefaultValuedProp<Pool_I64Prop, default> {
  let description = words;
}

/// A list of 64-bit integers. In the generic form it is `array<i64: ...>`.
class Pool_List<string words> : IntArrayProp<I64Prop, "list of integers"> {
  let description = words;
  let convertFromAttribute = [{
    auto list = ::llvm::dyn_cast_if_present<::mlir::DenseI64ArrayAttr>($_attr);
    if (!list)
      return $_diag() << "expected array<i64: ...>, not " << $_attr;
    $_storage.assign(list.asArrayRef().begin(), list.asArrayRef().end());
    return ::mlir::success();
  }];
}

def Pool_ListProp : Pool_List<"">;

/// A list with one entry for each spatial dimension, or empty for the default.
class Pool_WindowList<string words> : DefaultValuedProp<Pool_ListProp,
    "::llvm::ArrayRef<int64_t>{}", "::llvm::SmallVector<int64_t>{}"> {
  let description = words;
}

defvar Pool_Axis = "first of the dimensions that an index is flattened over";
defvar Pool_DivisorOverride = "number to divide by, instead of the count";
defvar Pool_InputZp = "zero point of the input, subtracted from its elements";
defvar Pool_OutputZp = "zero point of the output, added to the average";

/// An integer attribute that may be absent. It has no default value.
class Pool_OptionalI64<string words> : OptionalAttr<I64Attr> {
  let description = words;
}

/// The window parameters. Every window operation declares them in this order.
defvar Pool_WindowProperties = (ins
    Pool_List<"extent of the window">:$kernel,
    Pool_WindowList<"step between windows; 1 if absent">:$strides,
    Pool_WindowList<"step between elements of a window; 1 if absent">:$dilations,
    Pool_WindowList<"padding before the elements; 0 if absent">:$pads_begin,
    Pool_WindowList<"padding after the elements; 0 if absent">:$pads_end,
    Pool_RoundingTypeProp:$rounding_type,
    Pool_AutoPadProp:$auto_pad,
    Pool_SameOutputProp:$same_output,
    Pool_LayoutProp:$layout);

/// The syntax of an operation's clauses, followed by its attribute dictionary.
/// A clause is a property's name and its value. If `required` names a property,
/// its clause comes first. The clauses of `optional` properties follow in any
/// order and may be absent; the printer uses the order of `optional`. See
/// lib/Dialect/Pool/IR/Clauses.h.
class Pool_Clauses<string required, list<string> optional> {
  list<string> members = !listconcat(
      !if(!empty(required), []<string>,
          ["required(\\\"" # required # "\\\", &Properties::" # required # ")"]),
      !foreach(name, optional,
               "optional(\\\"" # name # "\\\", &Properties::" # name # ")"));
  string format = " `` custom<Clauses>(\"std::tuple(" # !interleave(members, ", ")
                  # ")\", prop-dict, attr-dict) ";
}

/// The clauses of an operation with a window: first the clauses of the window
/// parameters, then the clauses of the properties `own`.
class Pool_WindowClauses<list<string> own>
    : Pool_Clauses<"kernel", !listconcat(
        ["strides", "dilations", "pads_begin", "pads_end", "rounding_type",
         "auto_pad", "same_output", "layout"], own)>;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Bytecode stores the properties of an operation as the dictionary of the
/// generic form; see docs/Reference/Bytecode.md.
defvar Pool_BytecodeDefinition = [{
  ::llvm::LogicalResult $cppClass::readProperties(
      ::mlir::DialectBytecodeReader &reader, ::mlir::OperationState &state) {
    return ::mlir::pool::detail::readProperties(
        reader, state, &state.getOrAddProperties<Properties>());
  }
  void $cppClass::writeProperties(::mlir::DialectBytecodeWriter &writer) {
    writer.writeAttribute(getPropertiesAsAttr(getContext(), getProperties()));
  }
}];

/// An operation of the dialect. A subclass that sets extraClassDefinition must
/// begin it with Pool_BytecodeDefinition.
class Pool_Op<string mnemonic, list<Trait> traits = []>
    : Op<Pool_Dialect, mnemonic, traits> {
  let useCustomPropertiesEncoding = 1;
  let extraClassDefinition = Pool_BytecodeDefinition;
}

/// Declares a method of operations that may have attributes without effect.
/// Canonicalization calls it to reset such attributes to their defaults.
defvar Pool_NormalizeDeclaration = [{
  /// Resets every property that has no effect on this operation to its default.
  void normalize(Properties &properties);
}];

/// An operation whose result shapes follow from its input by one rule. A
/// subclass defines `inferRule` and `normalize`. The definitions below build
/// type inference, verifier and canonicalization from these two. A second
/// result, which is optional, holds indices.
class Pool_RuleOp<string mnemonic, list<Trait> traits = []>
    : Pool_Op<mnemonic, !listconcat(traits, Pool_ValueTraits, [
        InferTypeOpAdaptorWithIsCompatible])> {
  let hasVerifier = 1;
  let hasCanonicalizer = 1;

  string ruleDeclaration = Pool_NormalizeDeclaration # [{
    /// Returns the type of the first result for an input of type `input`, or
    /// reports the first violated constraint of the attributes.
    /// `indexElementType` is null for an operation without indices.
    static ::llvm::FailureOr<::mlir::RankedTensorType>
    inferRule(::mlir::pool::ErrorFn emitError, ::mlir::TensorType input,
              const Properties &properties, ::mlir::Type indexElementType);
  }];

  string ruleDefinition = Pool_BytecodeDefinition # [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, std::optional<::mlir::Location> location,
        Adaptor adaptor,
        ::llvm::SmallVectorImpl<::mlir::Type> &inferredReturnTypes) {
      return ::mlir::pool::detail::inferByRule<$cppClass>(location, adaptor,
                                                          inferredReturnTypes);
    }
    bool $cppClass::isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                            ::mlir::TypeRange declared) {
      return ::mlir::pool::detail::fitsRule<$cppClass>(inferred, declared);
    }
    ::llvm::LogicalResult $cppClass::verify() {
      return ::mlir::pool::detail::verifyByRule(*this);
    }
    void $cppClass::getCanonicalizationPatterns(
        ::mlir::RewritePatternSet &patterns, ::mlir::MLIRContext *) {
      ::mlir::pool::detail::populateRulePatterns<$cppClass>(patterns);
    }
  }];
}

#endif // POOL_DIALECT_POOL_IR_POOLOPBASE_TD
