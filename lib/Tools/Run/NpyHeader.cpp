// Parses the header of an .npy file, which is a Python dictionary with three
// keys. Accepts only the part of Python's syntax that the format allows.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Npy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SwapByteOrder.h"

#include <optional>

using namespace mlir;
using namespace mlir::pool;

/// NumPy's limit on the number of dimensions.
constexpr size_t kMaxRank = 64;

static llvm::Error makeHeaderError(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

/// Quotes untrusted text for a message: at most 40 characters, with `?` in
/// place of those that are not printable.
static std::string quote(StringRef text) {
  std::string result = "'";
  for (char c : text.take_front(40))
    result += llvm::isPrint(c) ? c : '?';
  return result + (text.size() > 40 ? "...'" : "'");
}

namespace {
class HeaderParser {
public:
  explicit HeaderParser(StringRef text) : text(text) {}

  llvm::Expected<NpyHeader> parse();

private:
  bool consume(char c) {
    text = text.ltrim(" \t\n\r");
    return text.consume_front(StringRef(&c, 1));
  }
  llvm::Error makeExpected(const llvm::Twine &what) {
    return makeHeaderError("malformed header: expected " + what + " at " +
                           (text.empty() ? "the end" : quote(text)));
  }

  llvm::Expected<StringRef> parseString();
  llvm::Error parseValue(StringRef key);
  llvm::Error parseDescr();
  llvm::Error parseOrder();
  llvm::Error parseShape();

  StringRef text;
  NpyHeader header;
  SmallVector<StringRef> seen;
};
} // namespace

llvm::Expected<StringRef> HeaderParser::parseString() {
  text = text.ltrim(" \t\n\r");
  if (text.empty() || (text[0] != '\'' && text[0] != '"'))
    return makeExpected("a string");
  size_t end = text.find(text[0], 1);
  if (end == StringRef::npos)
    return makeExpected("a closed string");
  StringRef content = text.slice(1, end);
  text = text.drop_front(end + 1);
  return content;
}

llvm::Error HeaderParser::parseDescr() {
  text = text.ltrim(" \t\n\r");
  if (text.starts_with("[") || text.starts_with("("))
    return makeHeaderError("structured element types are not supported");
  llvm::Expected<StringRef> descr = parseString();
  if (!descr)
    return descr.takeError();

  auto unsupported = [&] {
    return makeHeaderError("element type " + quote(*descr) +
                           " is not supported");
  };
  StringRef rest = *descr;
  bool isBig = rest.starts_with(">");
  bool isLittle = rest.starts_with("<");
  if (!rest.empty() && StringRef("<>|=").contains(rest[0]))
    rest = rest.drop_front();
  unsigned size = 0;
  if (rest.size() != 2 || rest.drop_front().getAsInteger(10, size))
    return unsupported();

  DType &dtype = header.type.dtype;
  dtype.size = size;
  bool isValid = false;
  switch (rest[0]) {
  case 'b':
    dtype.kind = DType::Kind::Bool;
    isValid = size == 1;
    break;
  case 'i':
  case 'u':
    dtype.kind = rest[0] == 'i' ? DType::Kind::Signed : DType::Kind::Unsigned;
    isValid = size == 1 || size == 2 || size == 4 || size == 8;
    break;
  case 'f':
    dtype.kind = DType::Kind::Float;
    isValid = size == 2 || size == 4 || size == 8;
    break;
  case 'V':
    dtype.kind = DType::Kind::BFloat;
    isValid = size == 2 && !isBig;
    break;
  default:
    break;
  }
  if (!isValid)
    return unsupported();
  header.swapped = size > 1 && dtype.kind != DType::Kind::BFloat &&
                   (llvm::sys::IsBigEndianHost ? isLittle : isBig);
  return llvm::Error::success();
}

llvm::Error HeaderParser::parseOrder() {
  text = text.ltrim(" \t\n\r");
  if (text.consume_front("True"))
    header.fortranOrder = true;
  else if (text.consume_front("False"))
    header.fortranOrder = false;
  else
    return makeExpected("True or False for 'fortran_order'");
  return llvm::Error::success();
}

llvm::Error HeaderParser::parseShape() {
  if (!consume('('))
    return makeExpected("a tuple for 'shape'");
  SmallVector<int64_t> &shape = header.type.shape;
  bool hasComma = false;
  while (!consume(')')) {
    if (!shape.empty() && !hasComma)
      return makeExpected("',' or ')' in 'shape'");
    text = text.ltrim(" \t\n\r");
    StringRef digits = text.take_while(llvm::isDigit);
    int64_t extent = 0;
    if (digits.empty())
      return makeExpected("an extent of 0 or more in 'shape'");
    if (digits.getAsInteger(10, extent))
      return makeHeaderError("extent " + quote(digits) + " is too large");
    text = text.drop_front(digits.size());
    // Python 2 wrote `L` after long integers.
    text.consume_front("L");
    if (shape.size() == kMaxRank)
      return makeHeaderError("more than " + llvm::Twine(kMaxRank) +
                             " dimensions");
    shape.push_back(extent);
    hasComma = consume(',');
  }
  // `(3)` is an integer in Python; a tuple of one element needs a comma.
  if (shape.size() == 1 && !hasComma)
    return makeHeaderError("malformed header: 'shape' is not a tuple");
  return llvm::Error::success();
}

llvm::Error HeaderParser::parseValue(StringRef key) {
  if (llvm::is_contained(seen, key))
    return makeHeaderError("malformed header: key " + quote(key) +
                           " appears twice");
  seen.push_back(key);
  if (key == "descr")
    return parseDescr();
  if (key == "fortran_order")
    return parseOrder();
  if (key == "shape")
    return parseShape();
  return makeHeaderError("malformed header: unknown key " + quote(key));
}

llvm::Expected<NpyHeader> HeaderParser::parse() {
  if (!consume('{'))
    return makeExpected("'{'");
  while (!consume('}')) {
    llvm::Expected<StringRef> key = parseString();
    if (!key)
      return key.takeError();
    if (!consume(':'))
      return makeExpected("':'");
    if (llvm::Error error = parseValue(*key))
      return std::move(error);
    if (!consume(',') && !text.starts_with("}"))
      return makeExpected("',' or '}'");
  }
  if (!text.trim(" \t\n\r").empty())
    return makeExpected("nothing after '}'");
  for (StringRef key : {"descr", "fortran_order", "shape"})
    if (!llvm::is_contained(seen, key))
      return makeHeaderError("malformed header: no key '" + key + "'");
  return header;
}

llvm::Expected<NpyHeader> mlir::pool::parseNpyHeader(StringRef text) {
  return HeaderParser(text).parse();
}
