/* Calls @sum_of_maxima of shard.mlir on two ranks, each with half of the batch.
 * Compares the result with a sum over the whole batch.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

enum { BATCH = 4, CHANNELS = 3, EXTENT = 8, HALF = EXTENT / 2 };

typedef struct {
  float *allocated, *data;
  int64_t offset, sizes[4], strides[4];
} Tensor4;
typedef struct {
  float *allocated, *data;
  int64_t offset, sizes[3], strides[3];
} Tensor3;

void _mlir_ciface_sum_of_maxima(Tensor3 *result, Tensor4 *x, Tensor3 *zero);

/* Returns different values for different positions; their sums are exact in any
 * order. */
static float value(int n, int c, int h, int w) {
  return (float)((((n * CHANNELS + c) * EXTENT + h) * EXTENT + w) * 37 % 1009);
}

static float max_of_window(int n, int c, int h, int w) {
  float result = value(n, c, 2 * h, 2 * w);
  for (int tap = 1; tap < 4; ++tap) {
    float other = value(n, c, 2 * h + tap / 2, 2 * w + tap % 2);
    result = other > result ? other : result;
  }
  return result;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, count;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  int own = BATCH / count, first = rank * own;
  static float shard[BATCH * CHANNELS * EXTENT * EXTENT];
  static float zeros[CHANNELS * HALF * HALF];
  float *next = shard;
  for (int n = first; n < first + own; ++n)
    for (int c = 0; c < CHANNELS; ++c)
      for (int h = 0; h < EXTENT; ++h)
        for (int w = 0; w < EXTENT; ++w)
          *next++ = value(n, c, h, w);
  Tensor4 x = {shard, shard, 0, {own, CHANNELS, EXTENT, EXTENT},
               {CHANNELS * EXTENT * EXTENT, EXTENT * EXTENT, EXTENT, 1}};
  Tensor3 zero = {zeros, zeros, 0, {CHANNELS, HALF, HALF},
                  {HALF * HALF, HALF, 1}};
  Tensor3 result;
  _mlir_ciface_sum_of_maxima(&result, &x, &zero);

  int wrong = 0;
  for (int c = 0; c < CHANNELS; ++c)
    for (int h = 0; h < HALF; ++h)
      for (int w = 0; w < HALF; ++w) {
        float sum = 0;
        for (int n = 0; n < BATCH; ++n)
          sum += max_of_window(n, c, h, w);
        wrong += result.data[(c * HALF + h) * HALF + w] != sum;
      }
  int all = 0;
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d ranks: %d of %d sums are wrong on any\n", count, all,
           CHANNELS * HALF * HALF);
  MPI_Finalize();
  return 0;
}
