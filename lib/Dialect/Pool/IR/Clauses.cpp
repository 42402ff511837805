// Parses and prints clauses, and explains malformed ones.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Clauses.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Support/Names.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::detail;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

ParseResult pool::detail::parseValue(OpAsmParser &parser,
                                     SmallVector<int64_t> &list) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(list.emplace_back());
  });
}

ParseResult pool::detail::parseValue(OpAsmParser &parser, int64_t &integer) {
  return parser.parseInteger(integer);
}

ParseResult pool::detail::parseValue(OpAsmParser &parser,
                                     IntegerAttr &integer) {
  int64_t value;
  if (parser.parseInteger(value))
    return failure();
  integer = parser.getBuilder().getI64IntegerAttr(value);
  return success();
}

void pool::detail::printValue(OpAsmPrinter &printer, StringRef name,
                              ArrayRef<int64_t> list) {
  printer << ' ' << name << " [";
  llvm::interleaveComma(list, printer);
  printer << ']';
}

void pool::detail::printValue(OpAsmPrinter &printer, StringRef name,
                              int64_t integer) {
  printer << ' ' << name << ' ' << integer;
}

void pool::detail::printValue(OpAsmPrinter &printer, StringRef name,
                              IntegerAttr integer) {
  printValue(printer, name, integer.getInt());
}

//===----------------------------------------------------------------------===//
// Clauses
//===----------------------------------------------------------------------===//

/// Reports that no clause has the name `name`, and suggests one. Returns
/// failure.
static ParseResult rejectUnknown(OpAsmParser &parser, SMLoc loc, StringRef name,
                                 ArrayRef<StringRef> clauses) {
  return parser.emitError(loc) << "unknown clause '" << name << "'; "
                               << suggestName(name, clauses, "clause");
}

/// Prints `value` as a clause spells it. Returns false if no clause has such a
/// value.
static bool printAsClause(raw_ostream &os, Attribute value) {
  return TypeSwitch<Attribute, bool>(value)
      .Case([&](IntegerAttr integer) {
        Type type = integer.getType();
        // `true` and `false` are integers of one bit.
        if (type.isInteger(1))
          return false;
        integer.getValue().print(os, /*isSigned=*/!type.isUnsignedInteger());
        return true;
      })
      .Case([&](DenseI64ArrayAttr list) {
        os << '[';
        llvm::interleaveComma(list.asArrayRef(), os);
        os << ']';
        return true;
      })
      .Case([&](ArrayAttr list) {
        os << '[';
        bool isKnown = true;
        llvm::interleaveComma(list, os, [&](Attribute entry) {
          isKnown &= isa<IntegerAttr>(entry) && printAsClause(os, entry);
        });
        os << ']';
        return isKnown;
      })
      .Case([&](StringAttr keyword) {
        os << keyword.getValue();
        return true;
      })
      .Case<RoundingTypeAttr, AutoPadAttr, SameOutputAttr, LayoutAttr,
            PadValueAttr, NanModeAttr, DivisorAttr, IntegerRoundingAttr>(
          [&](auto keyword) {
            os << stringifyEnum(keyword.getValue());
            return true;
          })
      .Default(false);
}

/// Fails with a diagnostic if one of `attributes`, which were written in braces
/// at `loc`, has the name of a clause. It would have no effect there.
static ParseResult rejectClauses(OpAsmParser &parser, SMLoc loc,
                                 const NamedAttrList &attributes,
                                 ArrayRef<StringRef> clauses) {
  for (NamedAttribute attribute : attributes) {
    StringRef name = attribute.getName();
    if (!llvm::is_contained(clauses, name))
      continue;
    std::string value;
    llvm::raw_string_ostream os(value);
    os << '`' << name << ' ';
    if (printAsClause(os, attribute.getValue()))
      os << '`';
    else
      value = llvm::formatv("`{0}` and its value", name);
    return parser.emitError(loc)
           << "'" << name << "' is a clause, not an attribute in braces; write "
           << value << " before the braces";
  }
  return success();
}

/// Fails with a diagnostic if the next token is a number, although `clause`
/// takes a keyword. If the operation also has a clause `<name>_override`, which
/// takes a number, the diagnostic names that clause.
static ParseResult rejectNumber(OpAsmParser &parser, const ClauseParser &clause,
                                ArrayRef<StringRef> names) {
  SMLoc loc = parser.getCurrentLocation();
  APInt number;
  OptionalParseResult parsed = parser.parseOptionalInteger(number);
  if (!parsed.has_value())
    return success();
  InFlightDiagnostic diagnostic =
      parser.emitError(loc)
      << "clause '" << clause.name << "' takes one of ["
      << llvm::join(clause.keywords, ", ") << "], but has a number";
  std::string override = (clause.name + "_override").str();
  if (llvm::is_contained(names, override))
    diagnostic << "; '" << override << "' takes a number";
  return diagnostic;
}

ParseResult pool::detail::parseClauses(OpAsmParser &parser,
                                       ArrayRef<ClauseParser> clauses,
                                       OperationState &state) {
  auto names = llvm::map_to_vector(
      clauses, [](const ClauseParser &clause) { return clause.name; });
  llvm::SmallBitVector seen(clauses.size());
  StringRef required = clauses[0].isRequired ? names[0] : StringRef();
  while (true) {
    SMLoc loc = parser.getCurrentLocation();
    bool isMissing = !required.empty() && !seen[0];
    StringRef name;
    if (failed(parser.parseOptionalKeyword(&name))) {
      if (!isMissing)
        break;
      NamedAttrList attributes;
      if (parser.parseOptionalAttrDict(attributes) ||
          rejectClauses(parser, loc, attributes, names))
        return failure();
      bool hasBraces = parser.getCurrentLocation() != loc;
      return parser.emitError(loc) << "expected '" << required << "'"
                                   << (hasBraces ? " before the braces" : "");
    }
    size_t i = llvm::find(names, name) - names.begin();
    if (i == names.size())
      return rejectUnknown(parser, loc, name, names);
    if (isMissing && i != 0)
      return parser.emitError(loc) << "expected '" << required << "'";
    if (seen[i])
      return parser.emitError(loc)
             << "`" << name << "` clause can appear at most once";
    seen.set(i);
    const ClauseParser &clause = clauses[i];
    if (!clause.keywords.empty() && rejectNumber(parser, clause, names))
      return failure();
    if (clause.parse())
      return failure();
  }
  return parseAttributes(parser, names, state);
}

/// True if front ends use `name` for a parameter of pooling. The verifier
/// rejects attributes with such a name, and allows others, because they may be
/// annotations.
static bool isForeignName(StringRef name) {
  static constexpr StringRef kForeignNames[] = {
      "ceil_mode",      "count_include_pad", "dilation",    "exclude_pad",
      "exclude-pad",    "include_padding",   "pad",         "padding",
      "pads",           "kernel_shape",      "kernel_size", "pool_size",
      "return_indices", "storage_order",     "stride",      "window"};
  return llvm::is_contained(kForeignNames, name);
}

LogicalResult pool::detail::verifyNoStrayAttributes(Operation *op) {
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    StringRef name = attribute.getName();
    if (name.contains('.'))
      continue;
    bool isProperty =
        cast<DictionaryAttr>(op->getPropertiesAsAttribute()).contains(name);
    if (isProperty)
      return op->emitOpError("'")
             << name << "' stands outside the properties, where it has no "
             << "effect: write it in the operation's form or within <{ }>";
    if (isForeignName(name))
      return op->emitOpError("'")
             << name << "' is not an attribute of this operation";
  }
  return success();
}

ParseResult pool::detail::parseAttributes(OpAsmParser &parser,
                                          ArrayRef<StringRef> clauses,
                                          OperationState &state) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(state.attributes) ||
      rejectClauses(parser, loc, state.attributes, clauses) ||
      failed(state.name.verifyInherentAttrs(state.attributes, [&] {
        return parser.emitError(loc) << "'" << state.name << "' op ";
      })))
    return failure();
  for (NamedAttribute attribute : state.attributes) {
    StringRef name = attribute.getName();
    StringRef meant;
    if (name == PlanAttr::getMnemonic())
      meant = PlanAttr::getName();
    // Do not warn about names of front ends: the verifier rejects them.
    else if (!isForeignName(name))
      meant = getNearest(name, clauses);
    if (!meant.empty())
      emitWarning(parser.getEncodedSourceLoc(loc))
          << "attribute '" << name << "' has no effect; did you mean '" << meant
          << "'?";
  }
  return success();
}

ParseResult pool::parseNoOtherClause(OpAsmParser &parser,
                                     ArrayRef<StringRef> clauses) {
  // Read the next word from the text, because the parser cannot peek at a
  // keyword.
  SMLoc loc = parser.getCurrentLocation();
  const char *begin = loc.getPointer(), *end = begin;
  while (llvm::isAlnum(*end) || *end == '_')
    ++end;
  StringRef name(begin, end - begin);
  if (getNearest(name, clauses).empty())
    return success();
  return rejectUnknown(parser, loc, name, clauses);
}

ParseResult pool::parseTensor(OpAsmParser &parser, Type &type) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(type))
    return failure();
  // Reject a buffer here. Otherwise upstream's error about the type of the
  // result would come before the verifier's error about the operand.
  if (isa<BaseMemRefType>(type))
    return rejectBuffer(parser.emitError(loc), type);
  return success();
}
