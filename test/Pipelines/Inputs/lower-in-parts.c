// Calls the function of lower-in-parts-numbers.mlir.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
  float *allocated, *aligned;
  int64_t offset, sizes[1], strides[1];
} MemRef;

float _mlir_ciface_user(MemRef *x, MemRef *y, bool c);

int main(void) {
  for (int c = 0; c < 2; ++c) {
    float x[4] = {1, 2, 3, 4}, y[4] = {5, 6, 7, 8};
    MemRef first = {x, x, 0, {4}, {1}}, second = {y, y, 0, {4}, {1}};
    printf("%.3f:", _mlir_ciface_user(&first, &second, c));
    for (int i = 0; i < 4; ++i)
      printf(" %.3f", x[i]);
    printf(",");
    for (int i = 0; i < 4; ++i)
      printf(" %.3f", y[i]);
    printf("\n");
  }
  return 0;
}
