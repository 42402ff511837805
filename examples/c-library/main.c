/* Calls compiled pooling like any C function. With an argument, the program
 * passes a shape that does not fit, and the program's own handler reports the
 * failed check.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

#include "pooling.h"

#include <stdio.h>
#include <stdlib.h>

/* Replaces the library's handler, which would end the program by abort(). */
void pool_check_failed(const char *message) {
  fprintf(stderr, "main: the library refused: %s\n", message);
  exit(3);
}

int main(int argc, char **argv) {
  (void)argv;
  float image[2 * 8 * 8];
  for (int i = 0; i < 2 * 8 * 8; ++i)
    image[i] = (float)((i * 37) % 128);

  /* Static shapes: the caller provides the memory, and nothing is allocated. */
  float maxima[2 * 4 * 4];
  int64_t positions[2 * 4 * 4];
  example_stem(image, maxima, positions);
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 4; ++column)
      printf("%4g@%-2d", maxima[row * 4 + column],
             (int)positions[row * 4 + column]);
    printf("\n");
  }

  /* Dynamic shapes: the same elements as two images of 4x8. */
  int64_t shape[4] = {2, 2, 4, 8};
  if (argc > 1)
    shape[1] = 4;
  float *averages;
  int64_t averages_shape[4];
  example_global_average(image, shape, &averages, averages_shape);
  for (int64_t n = 0; n < averages_shape[0]; ++n)
    printf("image %d: %g %g\n", (int)n, averages[2 * n], averages[2 * n + 1]);
  free(averages);
  return 0;
}
