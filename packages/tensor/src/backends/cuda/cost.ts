import type { CostModel } from "../../kernel/cost.ts";
import type { Driver } from "./driver.ts";

/** f32 lanes of a multiprocessor, and the share of the peak that kernels reach which add in order, wait for memory, or have few rows. */
const lanes = 128;
const share = { products: 0.25, operations: 0.05, bytes: 0.3 };
/** A launch in a graph, with the end of the launch before it. */
const launch = 3e-6;
/** Pageable memory over PCI Express. */
const copied = 5e9;

/** What a GPU takes for its work, by its number of multiprocessors and its clocks. */
export function costOf({ processors, clock, memoryBandwidth }: Driver): CostModel {
  const peak = processors * clock * lanes * 2;
  return {
    step: launch,
    operations: peak * share.operations,
    products: peak * share.products,
    bytes: memoryBandwidth * share.bytes,
    copied,
    // Rows are computed by separate groups.
    sumsTogether: 0,
  };
}
