/* Calls pooling code that was compiled for OpenMP threads, and compares it with
 * the definition.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

#include "pool.h"

#include <stdio.h>
#include <stdlib.h>

enum { N = 2, C = 16, H = 60, W = 60 };

static float x[N * C][H][W];

int main(void) {
  for (int p = 0; p < N * C; ++p)
    for (int h = 0; h < H; ++h)
      for (int w = 0; w < W; ++w)
        x[p][h][w] = (float)((p * 7919 + h * 104729 + w * 1299709) % 1009);

  const int64_t shape[4] = {N, C, H, W};
  float *y;
  int64_t out[4];
  pool_pool(&x[0][0][0], shape, &y, out);
  int wrong = 0;
  for (int64_t p = 0; p < out[0] * out[1]; ++p)
    for (int64_t h = 0; h < out[2]; ++h)
      for (int64_t w = 0; w < out[3]; ++w) {
        float largest = -1;
        for (int64_t i = 0; i < 9; ++i) {
          float v = x[p][2 * h + i / 3][2 * w + i % 3];
          largest = v > largest ? v : largest;
        }
        wrong += y[(p * out[2] + h) * out[3] + w] != largest;
      }
  printf("%d x %d x %d x %d: %s\n", (int)out[0], (int)out[1], (int)out[2],
         (int)out[3], wrong ? "different" : "equal");
  free(y);
  return 0;
}
