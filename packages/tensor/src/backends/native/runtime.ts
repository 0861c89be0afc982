import { gemmLibrary, gemmTiles } from "./gemm.ts";
import { pool } from "./pool.ts";
import { types } from "./prelude.ts";
import { guardFunctions } from "./sanitize.ts";

/** The interface of the runtime library for programs, as C. */
export const runtimeTable = `\
struct runtime {
  void (*gemm)(const long *fields, const f32 *a, const f32 *b, f32 *c, const f32 *bias, long thread, long threads);
  void (*barrier)(long threads);
  void (*run)(void (*steps)(const u64 *, long, long), const u64 *context, long threads);
};`;

/** The runtime library: matrix products and threads. Built once per machine and shared by all programs. */
export function runtimeSources(): string[] {
  return [
    [includes, types, pool, gemmLibrary(), runtimeTable, exports, guardFunctions].join("\n"),
    [types, gemmTiles()].join("\n"),
  ];
}

const includes = `\
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/mman.h>
#include <sys/syscall.h>
#endif
/* Large pages, if the system has them: otherwise matrices whose rows are pages apart wait for address translation. */
static void large_pages(unsigned long begin, unsigned long end, unsigned long written) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  const unsigned long large = 2UL << 20, from = (begin + large - 1) & -large, to = end & -large;
  if (to > from) madvise((void *)from, to - from, MADV_HUGEPAGE);
  /* For memory written before; 25 is MADV_COLLAPSE, since Linux 6.1. */
  if ((written & -large) > from) madvise((void *)from, (written & -large) - from, 25);
#else
  (void)begin; (void)end; (void)written;
#endif
}`;

const exports = `\
#define EXPORT __attribute__((visibility("default")))
static const struct runtime table = { gemm, barrier, run };
EXPORT u64 reins_runtime(void) { return (u64)&table; }
EXPORT u64 reins_address(void *p) { return (u64)p; }
EXPORT void reins_large_pages(u64 at, u64 bytes, u64 written) { large_pages(at, at + bytes, at + written); }
EXPORT int reins_bf16(void) { return bf16_available(); }
`;
