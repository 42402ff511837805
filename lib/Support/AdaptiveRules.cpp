// Computes starts and sizes of adaptive windows, in 128 bits where 64 bits
// could overflow.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Support/AdaptiveRules.h"

#include "pool/Support/WideInteger.h"

#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::pool;

int64_t AdaptiveDim::getStart(int64_t o) const {
  return static_cast<int64_t>(Wide(o) * input / output);
}

int64_t AdaptiveDim::getEnd(int64_t o) const {
  return static_cast<int64_t>((Wide(o + 1) * input + output - 1) / output);
}

int64_t AdaptiveDim::getMaxSize() const {
  // Let I be the input extent, O the number of outputs, and I = q * O + r with
  // r < O. Window o has q + ceil((o * I mod O + r) / O) elements. The values of
  // o * I mod O are the multiples of gcd(I, O) below O. So the largest window
  // has q + 1 elements if r = gcd(I, O), and q + 2 if r is larger.
  int64_t remainder = input % output;
  if (remainder == 0)
    return input / output;
  return input / output + (remainder == std::gcd(input, output) ? 1 : 2);
}

RuleOr<AdaptiveDim> pool::resolveAdaptiveDim(int64_t input, int64_t output) {
  if (output < 1)
    return RuleViolation::OutputBelowOne;
  if (input < 1)
    return RuleViolation::InputBelowOne;
  if (input > getAdaptiveInputRange(output).max)
    return RuleViolation::Overflow;
  return AdaptiveDim{input, output};
}

InputRange pool::getAdaptiveInputRange(int64_t output) {
  if (output < 1)
    return {1, 0};
  return {1, std::numeric_limits<int64_t>::max() / output};
}
