// Creates the operations that BNNS fuses with a pooling: a bias for each
// channel, and an activation. They are linalg and math ops, which upstream's
// tile-and-fuse moves into the loops of the pooling. This file also creates the
// scale and bias of BNNS's descriptors for integer data.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_ACTIVATION_H
#define POOL_DIALECT_POOL_UTILS_ACTIVATION_H

#include "mlir/IR/Builders.h"
#include "pool/Support/PoolEnums.h"

namespace mlir::pool {

enum class ActivationKind {
  Identity,
  RectifiedLinear,
  LeakyRectifiedLinear,
  Sigmoid,
  Tanh,
  ScaledTanh,
  Abs,
  Linear,
  Clamp,
  Softplus,
  Softmax,
  GELU,
  SiLU,
  HardSigmoid
};

/// An activation function of BNNS with its parameters. It maps x, the value
/// after the bias, to y:
///
/// | kind | y |
/// |---|---|
/// | Identity | x |
/// | RectifiedLinear | max(0, x) |
/// | LeakyRectifiedLinear | alpha * x where x < 0, else x |
/// | Sigmoid | 1 / (1 + exp(-x)) |
/// | Tanh | tanh(x) |
/// | ScaledTanh | alpha * tanh(beta * x) |
/// | Abs | \|x\| |
/// | Linear | alpha * x |
/// | Clamp | min(max(x, alpha), beta) |
/// | Softplus | log(1 + exp(x)) |
/// | Softmax | exp(x) over its sum across the channels |
/// | GELU | x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) |
/// | SiLU | x / (1 + exp(-x)) |
/// | HardSigmoid | min(max(alpha * x + beta, 0), 1) |
struct Activation {
  ActivationKind kind = ActivationKind::Identity;
  double alpha = 0, beta = 0;
};

/// Returns `activation(input + bias[c])` for channel c, as a tensor of the type
/// of `input`. `input` is a ranked tensor of floats of rank at least 2. f16 and
/// bf16 are computed in f32. `bias` is null or a tensor of rank 1 with an
/// element for each channel. NaN stays NaN.
///
/// Creates one elementwise linalg.generic. For softmax, also creates the
/// decomposition of linalg.softmax, and a cast back to f16 or bf16. Returns
/// `input` itself for an identity without bias.
Value createBiasAndActivation(OpBuilder &b, Location loc, Value input,
                              Value bias, Layout layout,
                              const Activation &activation);

/// Returns `input * scale + bias` as a tensor of `elementType`, f32 or f64.
/// `input` is a ranked tensor of integers, and `scale` and `bias` are the
/// data_scale and data_bias of its BNNS descriptor.
Value createDataScale(OpBuilder &b, Location loc, Value input, double scale,
                      double bias, FloatType elementType);

/// Inverse of createDataScale. Returns `(input - bias) / scale`, rounded to the
/// nearest integers of `elementType`, ties to even. Values out of range become
/// the nearest value of `elementType`, and NaN becomes 0. `input` is a ranked
/// tensor of f32 or f64.
Value createDataUnscale(OpBuilder &b, Location loc, Value input, double scale,
                        double bias, IntegerType elementType);

/// Returns `input`, a ranked tensor of floats, with its elements rounded or
/// extended to `elementType`. f64 is first rounded to f32 if the result is f16
/// or bf16. Does not support casts between f16 and bf16.
Value createFloatCast(OpBuilder &b, Location loc, Value input,
                      FloatType elementType);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_UTILS_ACTIVATION_H
