// Writes .npy files.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Npy.h"

#include "pool/Support/OutputFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

using namespace mlir;
using namespace mlir::pool;

/// Returns the beginning of a file: magic, version 1.0, length and dictionary.
/// Spaces after the dictionary make the elements start at a multiple of 64
/// bytes, as in NumPy's files.
static std::string makeHeader(const ArrayType &type) {
  std::string shape = "(";
  for (auto [i, extent] : llvm::enumerate(type.shape))
    shape += (i ? ", " : "") + std::to_string(extent);
  shape += type.shape.size() == 1 ? ",)" : ")";
  std::string dictionary = "{'descr': '" + type.dtype.getDescr() +
                           "', 'fortran_order': False, 'shape': " + shape +
                           ", }";
  constexpr size_t startBytes = 10;
  dictionary.append(63 - (startBytes + dictionary.size()) % 64, ' ');
  dictionary += '\n';

  std::string header("\x93NUMPY\x01\x00", 8);
  char length[2];
  llvm::support::endian::write16le(length, dictionary.size());
  header.append(length, 2);
  return header + dictionary;
}

llvm::Error mlir::pool::writeNpy(ArrayRef<NpyOutput> outputs) {
  std::vector<OutputFile> files;
  for (const NpyOutput &output : outputs)
    files.push_back({output.path, [&output](raw_ostream &os) {
                       os << makeHeader(output.type);
                       os.write(output.data, *output.type.getNumBytes());
                     }});
  return writeFiles(files);
}
