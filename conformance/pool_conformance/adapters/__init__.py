"""The adapters: one file a library. See `adapter.py` for what a file must have."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
