// Parses and prints the clauses of the operations' assembly formats, such as
// `strides [2, 2]`. ODS passes a list of them to the directive
// `custom<Clauses>`. The `oilist` of ODS is not used, because it reports a
// misspelled clause as a missing colon, and an unfit value by two errors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_DIALECT_POOL_IR_CLAUSES_H
#define POOL_LIB_DIALECT_POOL_IR_CLAUSES_H

#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

#include <functional>
#include <tuple>
#include <type_traits>

namespace mlir::pool {

/// A clause that sets a property: its name in the assembly format, and the
/// member of `Properties` for its value.
template <typename Properties, typename Value>
struct Clause {
  StringRef name;
  Value Properties::*member;
  bool isRequired;
};
template <typename Properties, typename Value>
Clause<Properties, Value> required(StringRef name, Value Properties::*member) {
  return {name, member, /*isRequired=*/true};
}
template <typename Properties, typename Value>
Clause<Properties, Value> optional(StringRef name, Value Properties::*member) {
  return {name, member, /*isRequired=*/false};
}

/// Parse and print a case of an enumeration, for the directive `custom<Case>`
/// of attributes and for clauses.
template <typename Enum>
ParseResult parseCase(AsmParser &parser, Enum &value) {
  FailureOr<Enum> parsed = FieldParser<Enum>::parse(parser);
  if (failed(parsed))
    return failure();
  value = *parsed;
  return success();
}
template <typename Enum>
void printCase(AsmPrinter &printer, Enum value) {
  printer << stringifyEnum(value);
}

/// Parse and print a case of an enumeration that the operation stores as an
/// attribute, for the directive `custom<CaseAttr>`. Up to version 0.3.0 the
/// case was in angle brackets, which the parser still accepts.
template <typename EnumAttr>
ParseResult parseCaseAttr(OpAsmParser &parser, EnumAttr &attr) {
  bool hasBrackets = succeeded(parser.parseOptionalLess());
  decltype(attr.getValue()) value;
  if (parseCase(parser, value) || (hasBrackets && parser.parseGreater()))
    return failure();
  attr = EnumAttr::get(parser.getContext(), value);
  return success();
}
template <typename EnumAttr>
void printCaseAttr(OpAsmPrinter &printer, Operation *, EnumAttr attr) {
  printCase(printer, attr.getValue());
}

namespace detail {

/// Parses the value of a clause into the second argument.
ParseResult parseValue(OpAsmParser &parser, SmallVector<int64_t> &list);
ParseResult parseValue(OpAsmParser &parser, int64_t &integer);
ParseResult parseValue(OpAsmParser &parser, IntegerAttr &integer);
template <typename Enum, std::enable_if_t<std::is_enum_v<Enum>, int> = 0>
ParseResult parseValue(OpAsmParser &parser, Enum &value) {
  return parseCase(parser, value);
}

/// Prints ` name value`.
void printValue(OpAsmPrinter &printer, StringRef name, ArrayRef<int64_t> list);
void printValue(OpAsmPrinter &printer, StringRef name, int64_t integer);
void printValue(OpAsmPrinter &printer, StringRef name, IntegerAttr integer);
template <typename Enum, std::enable_if_t<std::is_enum_v<Enum>, int> = 0>
void printValue(OpAsmPrinter &printer, StringRef name, Enum value) {
  printer << ' ' << name << ' ' << stringifyEnum(value);
}

/// Returns the keywords that a clause with a value of type `Value` takes.
/// Returns none if it takes numbers.
template <typename Value>
SmallVector<StringRef> getKeywords() {
  SmallVector<StringRef> keywords;
  if constexpr (std::is_enum_v<Value>)
    // Cases are numbered from 0. stringifyEnum() returns an empty string for
    // the first number without a case.
    for (uint32_t i = 0;; ++i) {
      StringRef keyword = stringifyEnum(static_cast<Value>(i));
      if (keyword.empty())
        break;
      keywords.push_back(keyword);
    }
  return keywords;
}

/// A Clause without the type of its value, so that parseClauses() need not be a
/// template. `keywords` has all valid keywords; it is empty if the clause takes
/// numbers. In a list of clauses, only the first may be required.
struct ClauseParser {
  StringRef name;
  bool isRequired;
  SmallVector<StringRef> keywords;
  std::function<ParseResult()> parse;
};

/// Parses clauses in any order, each of which sets a property; a required
/// clause must come first. Then parses discardable attributes into `state`.
/// Fails on an unknown, repeated or missing clause.
ParseResult parseClauses(OpAsmParser &parser, ArrayRef<ClauseParser> clauses,
                         OperationState &state);

/// Parses discardable attributes in braces. Fails if one of them has the name
/// of a clause. Warns about attributes that probably are mistakes: a misspelled
/// clause, and `plan` without the dialect's prefix.
ParseResult parseAttributes(OpAsmParser &parser, ArrayRef<StringRef> clauses,
                            OperationState &state);

/// Fails with a diagnostic if `op` has a discardable attribute that is meant as
/// a property, and so has no effect. Such names are those of the operation's
/// properties, and those that front ends use for parameters of pooling.
LogicalResult verifyNoStrayAttributes(Operation *op);

} // namespace detail

//===----------------------------------------------------------------------===//
// Directives
//===----------------------------------------------------------------------===//

template <typename Properties, typename... Values>
ParseResult
parseClauses(OpAsmParser &parser,
             const std::tuple<Clause<Properties, Values>...> &clauses,
             OperationState &state, NamedAttrList &) {
  auto &properties = state.getOrAddProperties<Properties>();
  return std::apply(
      [&](const auto &...clause) {
        return detail::parseClauses(
            parser,
            {{clause.name, clause.isRequired, detail::getKeywords<Values>(),
              [&] {
                return detail::parseValue(parser, properties.*clause.member);
              }}...},
            state);
      },
      clauses);
}

template <typename Properties, typename... Values>
void printClauses(OpAsmPrinter &printer, Operation *op,
                  const std::tuple<Clause<Properties, Values>...> &clauses,
                  const Properties &properties, DictionaryAttr) {
  Properties defaults;
  auto print = [&](const auto &clause) {
    const auto &value = properties.*clause.member;
    if (clause.isRequired || value != defaults.*clause.member)
      detail::printValue(printer, clause.name, value);
  };
  std::apply([&](const auto &...clause) { (print(clause), ...); }, clauses);
  printer.printOptionalAttrDict(llvm::to_vector(op->getDiscardableAttrs()));
}

/// Parse and print the type of the first operand of an operation on tensors,
/// for the directive `custom<Tensor>`. The parser rejects a buffer.
ParseResult parseTensor(OpAsmParser &parser, Type &type);
inline void printTensor(OpAsmPrinter &printer, Operation *, Type type) {
  printer << type;
}

/// The directive `custom<NoOtherClause>` consumes and prints nothing. It fails
/// if the next word is one of `clauses` or a misspelling of one. Any other word
/// may begin the next operation.
ParseResult parseNoOtherClause(OpAsmParser &parser,
                               ArrayRef<StringRef> clauses);
inline void printNoOtherClause(OpAsmPrinter &, Operation *,
                               ArrayRef<StringRef>) {}

} // namespace mlir::pool

#endif // POOL_LIB_DIALECT_POOL_IR_CLAUSES_H
