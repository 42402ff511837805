// Valid parameters of layers, for tests to spoil.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_UNITTESTS_CAPI_LAYERTEST_H
#define POOL_UNITTESTS_CAPI_LAYERTEST_H

#include "pool-c/Layer.h"

#include <cstring>

namespace pool_c_test {

inline PoolLayerDescriptor getImage(size_t width, size_t height,
                                    size_t channels) {
  PoolLayerDescriptor image;
  std::memset(&image, 0, sizeof(image));
  image.layout = PoolLayerLayoutImageCHW;
  image.size[0] = width;
  image.size[1] = height;
  image.size[2] = channels;
  image.data_type = PoolLayerDataTypeFloat32;
  return image;
}

/// A maximum of 2 x 2 elements at a stride of 2 over 2 planes of 6 x 4.
inline PoolLayerParameters getParameters() {
  PoolLayerParameters parameters;
  std::memset(&parameters, 0, sizeof(parameters));
  parameters.i_desc = getImage(6, 4, 2);
  parameters.o_desc = getImage(3, 2, 2);
  parameters.k_width = parameters.k_height = 2;
  parameters.x_stride = parameters.y_stride = 2;
  return parameters;
}

} // namespace pool_c_test

#endif // POOL_UNITTESTS_CAPI_LAYERTEST_H
