/* Calls the functions of c-caller.mlir by the calling convention of
 * Pipelines.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  void *allocated, *aligned;
  int64_t offset, sizes[4], strides[4];
} MemRef4D;

struct Mixed {
  float scalar;
  MemRef4D indices;
};

void _mlir_ciface_static(const MemRef4D *x, const MemRef4D *y);
void _mlir_ciface_mixed(struct Mixed *result, const MemRef4D *x, float s,
                        const MemRef4D *y);
void _mlir_ciface_dynamic(MemRef4D *result, const MemRef4D *x);
int64_t _mlir_ciface_scalar(int64_t n);

static MemRef4D describe(float *data, int64_t height, int64_t width) {
  MemRef4D result = {data,
                     data,
                     0,
                     {1, 1, height, width},
                     {height * width, height * width, width, 1}};
  return result;
}

static void print4(const float *data) {
  for (int i = 0; i < 4; ++i)
    printf(" %g", data[i]);
}

int main(int argc, char **argv) {
  /* A failed check calls puts and then abort, which does not flush stdout. */
  setvbuf(stdout, NULL, _IONBF, 0);
  float in[16], out[4] = {0};
  for (int i = 0; i < 16; ++i)
    in[i] = (float)i;
  MemRef4D x = describe(in, 4, 4), y = describe(out, 2, 2);
  MemRef4D returned;
  if (argc > 1) {
    MemRef4D low = describe(in, 1, 16);
    _mlir_ciface_dynamic(&returned, &low);
    return 0;
  }

  _mlir_ciface_static(&x, &y);
  printf("static");
  print4(out);

  struct Mixed mixed;
  out[0] = 0;
  _mlir_ciface_mixed(&mixed, &x, 2.5f, &y);
  printf("\nmixed");
  print4(out);
  printf(" indices");
  for (int i = 0; i < 4; ++i)
    printf(" %d", (int)((int64_t *)mixed.indices.aligned)[i]);
  printf(" scalar %g\n", mixed.scalar);
  free(mixed.indices.allocated);

  _mlir_ciface_dynamic(&returned, &x);
  printf("dynamic %dx%dx%dx%d:", (int)returned.sizes[0], (int)returned.sizes[1],
         (int)returned.sizes[2], (int)returned.sizes[3]);
  print4(returned.aligned);
  free(returned.allocated);

  printf("\nscalar %d\n", (int)_mlir_ciface_scalar(42));
  return 0;
}
