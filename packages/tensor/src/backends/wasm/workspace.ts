import { heap } from "../../heap.ts";

/**
 * Memory for packed matrices, shared by all programs, whose runs never overlap. It grows when a program needs more; programs that
 * were compiled before keep the old block, so that block is not released.
 */
let block = { offset: 0, bytes: 0, threads: 0 };

/** The heap offset of `threads` blocks of `bytes` each. */
export function workspace(bytes: number, threads: number): number {
  if (bytes === 0) return 0;
  if (bytes * threads > block.bytes * block.threads)
    block = { offset: heap.allocate(bytes * threads), bytes, threads };
  return block.offset;
}
