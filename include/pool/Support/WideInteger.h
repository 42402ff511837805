// Declares a signed integer type of 128 bits, which holds the sum and the
// product of any two int64_t.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_SUPPORT_WIDEINTEGER_H
#define POOL_SUPPORT_WIDEINTEGER_H

namespace mlir::pool {

__extension__ typedef __int128 Wide;

} // namespace mlir::pool

#endif // POOL_SUPPORT_WIDEINTEGER_H
