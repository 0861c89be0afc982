/**
 * CUDA's device functions in C++ for one CPU thread, so that the generated text runs without a GPU. Blocks run one after the other. The threads
 * of a block with barriers or shuffles are fibers: each runs until it waits, in an order that `REINS_EMULATED_ORDER=reverse` turns around,
 * so that a missing barrier gives wrong numbers. Kernels without them are plain loops over threads.
 */
export const emulatedDevice = `
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#define __device__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ static
#define __align__(n) __attribute__((aligned(n)))
struct dim3_ { unsigned x, y, z; };
static dim3_ threadIdx, blockIdx, blockDim, gridDim;
static inline float __fsqrt_rn(float x) { return sqrtf(x); }
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline int __float_as_int(float x) { int r; memcpy(&r, &x, 4); return r; }
static inline float __int_as_float(int x) { float r; memcpy(&r, &x, 4); return r; }
static inline int __float2int_rz(float x) { return x >= 2147483648.f ? 2147483647 : x < -2147483648.f ? -2147483647 - 1 : x == x ? (int)x : 0; }
static inline unsigned __float2uint_rz(float x) { return x >= 4294967296.f ? 4294967295u : x > 0.f ? (unsigned)x : 0u; }

enum { most = 1024, stack = 128 << 10 };
static char *stacks;
static jmp_buf fibers[most], scheduler;
static ucontext_t starts[most], back;
/* 0: not started, 1: ready, 2: waiting for the next generation of the threads from base on, 3: ended. */
static int state[most], base[most], current, reversed = -1;
/* Barriers of the threads from a number on, and after those the barrier of the block. */
static unsigned arrived[most + 1], generation[most + 1], awaited[most], slots[most];
static void (*body)(const void *);
static const void *arguments;

static void enter_fiber() {
  body(arguments);
  state[current] = 3;
  _longjmp(scheduler, 1);
}
static void pause_fiber() { if (!_setjmp(fibers[current])) _longjmp(scheduler, 1); }
/* Waits for the count threads from base on. */
static void wait_for(int first, unsigned count) {
  const unsigned own = generation[first];
  if (++arrived[first] == count) { arrived[first] = 0; generation[first]++; return; }
  base[current] = first;
  awaited[current] = own;
  state[current] = 2;
  pause_fiber();
  state[current] = 1;
}
static int base_of(unsigned mask) { return (current & ~31) + __builtin_ctz(mask); }
static inline void __syncwarp(unsigned mask = 0xffffffffu) {
  if (!(mask >> (current & 31) & 1)) { fprintf(stderr, "thread %d is not in the mask %x\\n", current, mask); abort(); }
  wait_for(base_of(mask), __builtin_popcount(mask));
}
static inline void __syncthreads() { wait_for(most, blockDim.x); }
template <class T> static T shuffle(unsigned mask, T x, int from) {
  memcpy(&slots[current], &x, 4);
  __syncwarp(mask);
  T r;
  memcpy(&r, &slots[from], 4);
  __syncwarp(mask);
  return r;
}
template <class T> static T __shfl_xor_sync(unsigned mask, T x, int lane) { return shuffle(mask, x, current ^ lane); }
template <class T> static T __shfl_sync(unsigned mask, T x, int lane, int width) { return shuffle(mask, x, (current & ~(width - 1)) + lane); }

/* A 16 × 8 product of 16 terms in bf16: each thread of the warp has some elements of the operands, as on a GPU. */
static unsigned fragments[most][6];
static inline float bf16_of(unsigned pair, int upper) { return __int_as_float(upper ? pair & 0xffff0000u : pair << 16); }
static void multiply16(float *c, const unsigned *a, const unsigned *b) {
  memcpy(fragments[current], a, 16);
  memcpy(fragments[current] + 4, b, 8);
  __syncwarp();
  const int warp = current & ~31, lane = current & 31;
  for (int i = 0; i < 4; i++) {
    const int row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
    for (int k = 0; k < 16; k++) {
      const unsigned *x = fragments[warp + row % 8 * 4 + k % 8 / 2], *y = fragments[warp + column * 4 + k % 8 / 2];
      c[i] += bf16_of(x[k / 8 * 2 + row / 8], k % 2) * bf16_of(y[4 + k / 8], k % 2);
    }
  }
  __syncwarp();
}

/* Four 8 × 8 matrices: thread i names row i % 8 of matrix i / 8. */
static const unsigned short *rows_of[most];
static void matrices_of(unsigned *r, const unsigned short *row, int turned) {
  rows_of[current] = row;
  __syncwarp();
  const int warp = current & ~31, lane = current & 31, a = lane / 4, b = lane % 4 * 2;
  for (int i = 0; i < 4; i++) {
    const unsigned short *const *const m = rows_of + warp + i * 8;
    r[i] = turned ? m[b][a] | (unsigned)m[b + 1][a] << 16 : m[a][b] | (unsigned)m[a][b + 1] << 16;
  }
  __syncwarp();
}
static void matrices(unsigned *r, const unsigned short *row) { matrices_of(r, row, 0); }
static void turnedMatrices(unsigned *r, const unsigned short *row) { matrices_of(r, row, 1); }

static void run_fibers(int count) {
  if (!stacks) stacks = (char *)malloc((size_t)most * stack);
  if (reversed < 0) { const char *order = getenv("REINS_EMULATED_ORDER"); reversed = order && !strcmp(order, "reverse"); }
  for (int i = 0; i < count; i++) state[i] = 0;
  memset(arrived, 0, sizeof arrived);
  for (int left = count; left > 0;) {
    int moved = 0;
    for (int n = 0; n < count; n++) {
      const int i = reversed ? count - 1 - n : n;
      if (state[i] == 3 || (state[i] == 2 && generation[base[i]] == awaited[i])) continue;
      moved = 1;
      current = i;
      threadIdx.x = i;
      if (!_setjmp(scheduler)) {
        if (state[i] == 0) {
          state[i] = 1;
          getcontext(&starts[i]);
          starts[i].uc_stack.ss_sp = stacks + (size_t)i * stack;
          starts[i].uc_stack.ss_size = stack;
          starts[i].uc_link = 0;
          makecontext(&starts[i], enter_fiber, 0);
          setcontext(&starts[i]);
        } else _longjmp(fibers[i], 1);
      }
      if (state[current] == 3) left--;
    }
    if (!moved) { fprintf(stderr, "emulated GPU: threads wait for one another in block %u, %u\\n", blockIdx.x, blockIdx.y); abort(); }
  }
}
extern "C" void reins_emulate(void (*kernel)(const void *), int waits, const unsigned *grid, unsigned block, const void *args) {
  body = kernel; arguments = args;
  gridDim = { grid[0], grid[1], grid[2] };
  blockDim = { block, 1, 1 };
  threadIdx = { 0, 0, 0 };
  for (blockIdx.z = 0; blockIdx.z < grid[2]; blockIdx.z++)
    for (blockIdx.y = 0; blockIdx.y < grid[1]; blockIdx.y++)
      for (blockIdx.x = 0; blockIdx.x < grid[0]; blockIdx.x++) {
        if (waits) { run_fibers(block); continue; }
        for (threadIdx.x = 0; threadIdx.x < block; threadIdx.x++) kernel(args);
      }
}
`;
