// Integers of 128 bits. Sums and products of two 64-bit integers do not
// overflow.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_SUPPORT_WIDEINTEGER_H
#define POOL_SUPPORT_WIDEINTEGER_H

namespace mlir::pool {

__extension__ typedef __int128 Wide;

} // namespace mlir::pool

#endif // POOL_SUPPORT_WIDEINTEGER_H
