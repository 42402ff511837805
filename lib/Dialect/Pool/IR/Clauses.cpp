// Parses and prints clauses, and suggests a name for a misspelt one.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Clauses.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::detail;

StringRef pool::detail::getNearest(StringRef name, ArrayRef<StringRef> names) {
  StringRef nearest;
  unsigned best = 0;
  for (StringRef candidate : names) {
    // A short name is near to most others, as `p` is to `id`. So allow fewer
    // edits than half of the candidate's letters.
    unsigned most = std::min<unsigned>(2, (candidate.size() - 1) / 2);
    unsigned distance = name.edit_distance(candidate);
    if (distance <= most && (nearest.empty() || distance < best)) {
      nearest = candidate;
      best = distance;
    }
  }
  return nearest;
}

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

/// Reports that `name` is no name of a clause. Suggests the nearest of
/// `clauses`, or lists all of them if none is near.
static ParseResult rejectUnknown(OpAsmParser &parser, SMLoc loc, StringRef name,
                                 ArrayRef<StringRef> clauses) {
  InFlightDiagnostic diagnostic = parser.emitError(loc)
                                  << "unknown clause '" << name << "'; ";
  StringRef nearest = getNearest(name, clauses);
  if (!nearest.empty())
    return diagnostic << "did you mean '" << nearest << "'?";
  diagnostic << (clauses.size() == 1 ? "the clause is " : "the clauses are ");
  llvm::interleaveComma(clauses, diagnostic);
  return diagnostic;
}

/// Fails with a diagnostic if a number follows, although `clause` takes a
/// keyword. If the operation also has a clause `<name>_override`, which takes a
/// number, the diagnostic names that clause.
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
      if (isMissing)
        return parser.parseKeyword(required);
      break;
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

/// True for names that front ends use for parameters of pooling. Other unknown
/// names are allowed, because they may be annotations.
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
      failed(state.name.verifyInherentAttrs(state.attributes, [&] {
        return parser.emitError(loc) << "'" << state.name << "' op ";
      })))
    return failure();
  for (NamedAttribute attribute : state.attributes) {
    StringRef name = attribute.getName();
    StringRef meant;
    if (name == PlanAttr::getMnemonic())
      meant = PlanAttr::getName();
    // Do not warn about names of properties and of front ends: the verifier
    // rejects them.
    else if (!llvm::is_contained(clauses, name) && !isForeignName(name))
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
