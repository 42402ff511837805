/* BNNS's example of maximum pooling: a window of 2 x 2 over an image of 2 x 2
 * with a border of zeros. Prints the output, and fails if it differs from the
 * output in BNNS's document.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "pool-c/Layer.h"

#include <stdio.h>
#include <string.h>

int main(void) {
  const float input[2 * 2] = {1, 2, 3, 4};
  const float expected[3 * 3] = {1, 2, 2, 3, 4, 4, 3, 4, 4};
  float output[3 * 3] = {0};

  const PoolLayerParameters parameters = {
      .i_desc = {.layout = PoolLayerLayoutImageCHW,
                 .size = {2, 2, 1},
                 .data_type = PoolLayerDataTypeFloat32},
      .o_desc = {.layout = PoolLayerLayoutImageCHW,
                 .size = {3, 3, 1},
                 .data_type = PoolLayerDataTypeFloat32},
      .activation = {.function = PoolLayerActivationIdentity},
      .pooling_function = PoolLayerFunctionMax,
      .k_width = 2,
      .k_height = 2,
      .x_stride = 1,
      .y_stride = 1,
      .x_padding = 1,
      .y_padding = 1,
  };
  PoolLayer *layer = NULL;
  if (poolLayerCreate(&parameters, NULL, &layer) ||
      poolLayerApplyBatch(layer, 1, input, 2 * 2, output, 3 * 3, NULL, 0)) {
    fprintf(stderr, "max: %s\n", poolLayerGetLastError());
    poolLayerDestroy(layer);
    return 1;
  }
  poolLayerDestroy(layer);

  for (int i = 0; i < 3 * 3; ++i)
    printf("%.1f%s", output[i], i % 3 == 2 ? "\n" : ", ");
  if (memcmp(output, expected, sizeof(output)) != 0) {
    fprintf(stderr, "max: not what the document says\n");
    return 1;
  }
  return 0;
}
