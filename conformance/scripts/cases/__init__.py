"""The cases, a module for each family of traps."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
