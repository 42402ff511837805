// Mutates the text of an XML model, for pool-fuzz-openvino.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Mutator.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir::pool::test;
using llvm::StringRef;

/// Replacements for values, in attributes or between tags.
static constexpr const char *kNumbers[] = {
    "",
    "0",
    "1",
    "2",
    "3",
    "7",
    "-1",
    "-2",
    "?",
    "...",
    "1..8",
    "1,1",
    "0,0",
    "2,2",
    "3,3",
    "1,1,1",
    "1,",
    ",",
    "2147483647",
    "2147483648",
    "4294967296",
    "4611686018427387904",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551616",
    "9223372036854775807,9223372036854775807",
    "1e308",
    "nan",
    "inf",
    "-inf",
    "0x10",
    "1.5",
};
static constexpr const char *kNames[] = {
    "true",
    "false",
    "f16",
    "f32",
    "bf16",
    "f64",
    "i8",
    "i32",
    "i64",
    "u8",
    "u1",
    "boolean",
    "string",
    "FP16",
    "FP32",
    "I32",
    "I64",
    "U8",
    "BOOL",
    "explicit",
    "valid",
    "same_upper",
    "same_lower",
    "notset",
    "floor",
    "ceil",
    "ceil_torch",
    "numpy",
    "none",
    "pdpd",
    "opset1",
    "opset5",
    "opset8",
    "opset14",
    "opset16",
    "opset99",
    "MaxPool",
    "AvgPool",
    "AdaptiveMaxPool",
    "AdaptiveAvgPool",
    "Parameter",
    "Result",
    "Const",
    "Convert",
    "ReLU",
    "Clamp",
    "Add",
    "Divide",
    "Sigmoid",
    "../../../etc/passwd",
};

/// Fragments that are inserted anywhere.
static constexpr const char *kWords[] = {
    "<",
    ">",
    "/>",
    "</layer>",
    "<layer>",
    "\"",
    "'",
    "&",
    "&lt;",
    "&#0;",
    "&#x110000;",
    "&#xd800;",
    "&unknown;",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?",
    "?>",
    "<!DOCTYPE a [<!ENTITY b 'c'>]>",
    "<dim>1</dim>",
    "<dim>",
    "<port id=\"0\"/>",
    "<data/>",
    "<edges/>",
    "<layers/>",
    " kernel=\"2,2\"",
    " axis=\"-1\"",
    " dilations=\"2,2\"",
    " names=\"a\"",
    "\r\n",
    "\t",
    "\xef\xbb\xbf",
    "\xff",
    "\xc3",
};

template <size_t size>
static StringRef pickFrom(const char *const (&list)[size], size_t number) {
  return list[number % size];
}

void Mutator::changeBytes(std::string &text) {
  for (size_t i = 0, count = 1 + pick(4); i < count; ++i)
    text[pick(text.size())] ^= 1 << pick(8);
}

void Mutator::changeRange(std::string &text) {
  size_t begin = pick(text.size());
  size_t length = 1 + pick(std::min<size_t>(text.size() - begin, 200));
  switch (pick(4)) {
  case 0:
    text.erase(begin, length);
    break;
  case 1:
    text.insert(pick(text.size()), text.substr(begin, length));
    break;
  case 2:
    text.insert(begin, std::string(length, text[begin]));
    break;
  default:
    text.resize(begin + 1);
  }
}

void Mutator::changeValue(std::string &text) {
  // Replace the value of an attribute, or the text between tags.
  size_t begin = pick(text.size());
  size_t quote = text.find("=\"", begin), bracket = text.find('>', begin);
  bool isAttribute = quote < bracket;
  begin = isAttribute ? quote + 2 : bracket + 1;
  if (std::min(quote, bracket) == std::string::npos)
    return;
  size_t end = text.find(isAttribute ? '"' : '<', begin);
  if (end == std::string::npos || end - begin > 200)
    return;
  StringRef old = StringRef(text).slice(begin, end);
  if (!isAttribute && old.trim().empty() && pick(16) != 0)
    return changeValue(text);

  // Mostly replace a number by a number and a word by a word. Often choose a
  // nearby number.
  bool isNumber = old.find_first_not_of("0123456789-, ") == StringRef::npos;
  if (pick(8) == 0)
    isNumber = !isNumber;
  std::string value =
      (isNumber ? pickFrom(kNumbers, random()) : pickFrom(kNames, random()))
          .str();
  int64_t number;
  if (pick(4) != 0 && !old.getAsInteger(10, number) && number > -1000 &&
      number < 1000)
    value = std::to_string(number + int64_t(pick(5)) - 2);
  text.replace(begin, end - begin, value);
}

void Mutator::changeElement(std::string &text) {
  // An element ends at its closing tag, or at "/>".
  size_t begin = text.find('<', pick(text.size()));
  if (begin == std::string::npos || begin + 1 >= text.size())
    return;
  StringRef name =
      StringRef(text).drop_front(begin + 1).take_while(llvm::isAlpha);
  size_t close = text.find("</" + name.str() + ">", begin);
  size_t end = text.find("/>", begin);
  if (!name.empty() && close != std::string::npos)
    end = close + name.size() + 3;
  else if (end != std::string::npos)
    end += 2;
  if (end == std::string::npos)
    return;
  std::string element = text.substr(begin, end - begin);
  switch (pick(3)) {
  case 0:
    text.erase(begin, element.size());
    break;
  case 1:
    text.insert(begin, element);
    break;
  default: {
    size_t place = text.find('<', pick(text.size()));
    text.insert(place == std::string::npos ? 0 : place, element);
  }
  }
}

void Mutator::insertWord(std::string &text) {
  text.insert(pick(text.size()), pickFrom(kWords, random()).str());
}

void Mutator::nest(std::string &text) {
  size_t place = text.find('<', pick(text.size()));
  if (place == std::string::npos)
    return;
  std::string open, closing;
  for (size_t i = 0, depth = 1 + pick(600); i < depth; ++i) {
    open += "<body>";
    closing += "</body>";
  }
  text.insert(place, open + (pick(4) == 0 ? "" : closing));
}

std::string Mutator::mutate(StringRef original) {
  std::string text = original.str();
  for (size_t i = 0, count = 1 + pick(4); i < count; ++i) {
    if (text.empty())
      return text;
    // Mostly choose changes that keep XML well-formed: the parser rejects the
    // others before they reach the importer.
    switch (pick(64)) {
    case 0:
      changeBytes(text);
      break;
    case 1:
      changeRange(text);
      break;
    case 2:
      insertWord(text);
      break;
    case 3:
      nest(text);
      break;
    default:
      pick(8) == 0 ? changeElement(text) : changeValue(text);
    }
  }
  return text;
}
