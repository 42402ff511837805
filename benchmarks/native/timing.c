// Loops that benchmarks/compare.py times: calls of a compiled entry point, and
// moves of memory for the bandwidth limits.
//
// A call from Python takes microseconds, as long as a small kernel. A call from
// these loops costs as little as in a C program.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int64_t Vector __attribute__((vector_size(64)));

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/// Keeps freed memory in the process. Otherwise a contestant that allocates its
/// result in each call would pay for fresh pages each time.
void bench_keep_memory(void) {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, INT32_MAX);
  mallopt(M_TOP_PAD, 1 << 26);
}

/// An entry point and its argument pointers. If it returns descriptors, the
/// first pointer is their destination: `num_returned` descriptors,
/// `returned_bytes` apart. Each begins with the address to be freed.
struct Call {
  void (*function)(void);
  void *arguments[4];
  int64_t num_arguments;
  int64_t num_returned;
  int64_t returned_bytes;
};

static void release(const struct Call *call) {
  char *descriptor = call->arguments[0];
  for (int64_t i = 0; i < call->num_returned; ++i)
    free(*(void **)(descriptor + i * call->returned_bytes));
}

static void invoke(const struct Call *call) {
  void *const *a = call->arguments;
  switch (call->num_arguments) {
  case 1:
    ((void (*)(void *))call->function)(a[0]);
    return;
  case 2:
    ((void (*)(void *, void *))call->function)(a[0], a[1]);
    return;
  case 3:
    ((void (*)(void *, void *, void *))call->function)(a[0], a[1], a[2]);
    return;
  case 4:
    ((void (*)(void *, void *, void *, void *))call->function)(a[0], a[1], a[2],
                                                               a[3]);
    return;
  default:
    abort();
  }
}

/// Makes one call. The caller frees its results by `bench_release`.
void bench_call(const struct Call *call) { invoke(call); }
/// Frees the memory of the descriptors that the last call returned.
void bench_release(const struct Call *call) { release(call); }

/// Stores in `ns` the nanoseconds of each of `samples` runs of `inner` calls.
/// Freeing a call's results counts as part of the call.
void bench_time(const struct Call *call, int64_t samples, int64_t inner,
                double *ns) {
  for (int64_t s = 0; s < samples; ++s) {
    double begin = now_ns();
    for (int64_t i = 0; i < inner; ++i) {
      invoke(call);
      if (call->num_returned)
        release(call);
    }
    ns[s] = now_ns() - begin;
  }
}

/// The work of a bandwidth limit (peers/limits.py): `threads` threads copy
/// `bytes` bytes from `from` to `to`, or only read them. Both addresses are
/// aligned to 64 bytes.
struct Move {
  char *to;
  char *from;
  int64_t bytes;
  int64_t threads;
};

/// Returns the part of `move` that thread `i` does: whole vectors of 64 bytes.
static struct Move share(const struct Move *move, int64_t i) {
  int64_t vectors = move->bytes / (int64_t)sizeof(Vector);
  int64_t begin = vectors * i / move->threads * (int64_t)sizeof(Vector);
  int64_t end = vectors * (i + 1) / move->threads * (int64_t)sizeof(Vector);
  struct Move result = {move->to + begin, move->from + begin, end - begin, 1};
  return result;
}

static void copy(struct Move move) {
  memcpy(move.to, move.from, (size_t)move.bytes);
}

static void copy_streaming(struct Move move) {
  Vector *to = (Vector *)move.to;
  const Vector *from = (const Vector *)move.from;
  int64_t vectors = move.bytes / (int64_t)sizeof(Vector);
  for (int64_t v = 0; v < vectors; ++v)
    __builtin_nontemporal_store(from[v], to + v);
}

static void read_all(struct Move move) {
  const Vector *from = (const Vector *)move.from;
  int64_t vectors = move.bytes / (int64_t)sizeof(Vector);
  Vector sum[8] = {0};
  int64_t v = 0;
  for (; v + 8 <= vectors; v += 8)
    for (int lane = 0; lane < 8; ++lane)
      sum[lane] += from[v + lane];
  for (; v < vectors; ++v)
    sum[0] += from[v];
  for (int lane = 1; lane < 8; ++lane)
    sum[0] += sum[lane];
  // Pretend to use the sum. Otherwise the compiler would remove the reads.
  __asm__ volatile("" : : "r"(&sum[0]) : "memory");
}

static void in_parallel(const struct Move *move,
                        void (*function)(struct Move)) {
  if (move->threads == 1) {
    function(share(move, 0));
    return;
  }
#pragma omp parallel for num_threads(move->threads)
  for (int64_t i = 0; i < move->threads; ++i)
    function(share(move, i));
}

void bench_copy(struct Move *move) { in_parallel(move, copy); }
void bench_copy_streaming(struct Move *move) {
  in_parallel(move, copy_streaming);
}
void bench_read(struct Move *move) { in_parallel(move, read_all); }
