/* BNNS's example of UnMax pooling: takes a maximum with indices, then recreates
 * the input from both results. Elements that were no maximum become zeros.
 * Prints the recreated input, and fails if it differs from BNNS's document.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "pool-c/Layer.h"

#include <stdio.h>
#include <string.h>

int main(void) {
  const float input[4 * 4] = {1, 1, 1, 9, /**/ 1, 9, 9, 1,
                              1, 1, 1, 1, /**/ 1, 9, 1, 9};
  const float expected[4 * 4] = {0, 0, 0, 9, /**/ 0, 9, 9, 0,
                                 0, 0, 0, 0, /**/ 0, 9, 0, 9};
  float output[3 * 3] = {0};
  int64_t indices[3 * 3] = {0};
  float recreated[4 * 4] = {0};

  PoolLayerParameters parameters = {
      .i_desc = {.layout = PoolLayerLayoutImageCHW,
                 .size = {4, 4, 1},
                 .data_type = PoolLayerDataTypeFloat32},
      .o_desc = {.layout = PoolLayerLayoutImageCHW,
                 .size = {3, 3, 1},
                 .data_type = PoolLayerDataTypeFloat32},
      .pooling_function = PoolLayerFunctionMax,
      .k_width = 2,
      .k_height = 2,
      .x_stride = 1,
      .y_stride = 1,
  };
  PoolLayer *max = NULL, *unmax = NULL;
  PoolLayerStatus status = poolLayerCreate(&parameters, NULL, &max);

  /* Keep the parameters, but swap input and output. */
  PoolLayerDescriptor image = parameters.i_desc;
  parameters.i_desc = parameters.o_desc;
  parameters.o_desc = image;
  parameters.pooling_function = PoolLayerFunctionUnMax;
  if (!status)
    status = poolLayerCreate(&parameters, NULL, &unmax);

  if (!status)
    status = poolLayerApplyBatch(max, 1, input, 4 * 4, output, 3 * 3, indices,
                                 3 * 3);
  if (!status)
    status = poolLayerApplyBatch(unmax, 1, output, 3 * 3, recreated, 4 * 4,
                                 indices, 3 * 3);
  if (status)
    fprintf(stderr, "unmax: %s\n", poolLayerGetLastError());
  poolLayerDestroy(max);
  poolLayerDestroy(unmax);
  if (status)
    return 1;

  for (int i = 0; i < 4 * 4; ++i)
    printf("%.1f%s", recreated[i], i % 4 == 3 ? "\n" : ", ");
  if (memcmp(recreated, expected, sizeof(recreated)) != 0) {
    fprintf(stderr, "unmax: not what the document says\n");
    return 1;
  }
  return 0;
}
