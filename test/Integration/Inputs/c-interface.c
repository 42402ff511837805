/* Calls the functions of c-interface.mlir through the header that pool-compile
 * wrote.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

#include "pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void call_scalars(void) {
  float a;
  double b;
  uint16_t c, d, h;
  int8_t e;
  uint8_t f;
  int16_t g;
  int32_t i;
  uint32_t j;
  int64_t k;
  bool l, m;
  pool_scalars(1.5f, -2.25, 0x3c00, 0x3f80, -3, 250, -300, 60000, -5,
               4000000000u, -7, true, false, &a, &b, &c, &d, &e, &f, &g, &h, &i,
               &j, &k, &l, &m);
  printf("scalars %g %g %x %x %d %u %d %u %d %u %d %s %s\n", a, b, c, d, e, f,
         g, h, i, j, (int)k, l ? "true" : "false", m ? "true" : "false");
}

static void call_fill(void) {
  int32_t *x;
  double *y;
  int64_t x_shape[2], y_shape[1];
  pool_fill(2, 3, &x, x_shape, &y, y_shape);
  printf("two allocations %d %d:", (int)x_shape[0], (int)x_shape[1]);
  for (int i = 0; i < 6; ++i)
    printf(" %d", x[i]);
  printf(" and %d:", (int)y_shape[0]);
  for (int i = 0; i < 3; ++i)
    printf(" %g", y[i]);
  printf("\n");
  free(x);
  free(y);
}

static void call_tensors(void) {
  int64_t point = 42, copy = 0;
  pool_point(&point, &copy);
  printf("point %d\n", (int)copy);

  const uint16_t halves[4] = {0, 0x3c00, 0x3c00, 0x4000};
  uint16_t largest[2];
  int32_t where[2];
  pool_halves(halves, largest, where);
  printf("halves %x %x index %d %d\n", largest[0], largest[1], where[0],
         where[1]);

  const bool bools[3] = {true, false, true};
  const int64_t three[1] = {3};
  bool *same;
  int64_t same_shape[1];
  pool_bools(bools, three, &same, same_shape);
  printf("bools %d %d %d\n", same[0], same[1], same[2]);
  free(same);

  const float image[16] = {0};
  const int64_t none[4] = {0, 1, 4, 4};
  float *pooled;
  int64_t pooled_shape[4];
  pool_pool(image, none, &pooled, pooled_shape);
  printf("empty batch %d %d %d %d\n", (int)pooled_shape[0],
         (int)pooled_shape[1], (int)pooled_shape[2], (int)pooled_shape[3]);
  free(pooled);

  const uint8_t bytes[4] = {1, 255, 200, 127};
  uint8_t brightest[2];
  pool_unsigned(bytes, brightest);
  printf("unsigned %u %u\n", brightest[0], brightest[1]);
}

static void fail(const char *how) {
  const float image[16] = {0};
  int64_t shape[4] = {1, 1, 4, 4}, pooled_shape[4];
  float *pooled;
  if (!strcmp(how, "window"))
    shape[2] = 1;
  if (!strcmp(how, "extent"))
    shape[1] = 3;
  if (!strcmp(how, "negative"))
    shape[0] = -1;
  if (!strcmp(how, "memory")) {
    int32_t *x;
    double *y;
    pool_fill((int64_t)1 << 40, 4, &x, shape, &y, pooled_shape);
    printf("%d %g\n", x[0], y[0]);
  }
  pool_pool(image, shape, &pooled, pooled_shape);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    fail(argv[1]);
    return 0;
  }
  call_scalars();
  call_fill();
  call_tensors();
  return 0;
}
