// Integers in which no sum or product of two 64-bit integers overflows.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_SUPPORT_WIDEINTEGER_H
#define POOL_SUPPORT_WIDEINTEGER_H

namespace mlir::pool {

__extension__ typedef __int128 Wide;

} // namespace mlir::pool

#endif // POOL_SUPPORT_WIDEINTEGER_H
