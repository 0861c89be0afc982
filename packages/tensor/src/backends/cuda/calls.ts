import type { Program, Step } from "../../kernel/program.ts";
import { iterationsOf } from "../grid/steps.ts";
import type { EmitOptions } from "./emit.ts";
import { flashHead, flashName, flashText } from "./flash.ts";
import { tensorCores } from "./gemm-half.ts";
import { blockSize, flatten, longestLoop } from "./shape.ts";

/** Items above which a warp for each keeps a large GPU busy, and the elements of a row that a thread then has at most. */
const manyItems = 4096;
const mostElements = 32;
/** Items from which the threads of a launch have several each. */
const itemsAhead = 2 ** 20;
/** Items up to which a block for each leaves no other work waiting. */
const fewItems = 512;

/** How each kernel is called. Groups with accumulators have more threads where there are few items, unless the lanes are prescribed. */
export function callsOf(program: Program): EmitOptions[] {
  const items = program.kernels.map(() => ({ fewest: Number.POSITIVE_INFINITY, most: 0, layers: false }));
  const flat = program.kernels.map((k) => flatten(k));
  const visit = (list: readonly Step[], layers: number): void => {
    for (const s of list)
      if (s.kind === "loop") visit(s.body, s.together ? iterationsOf(s) : layers);
      else if (s.kind === "call") {
        const to = items[s.kernel];
        const count = s.extent * flat[s.kernel].inner * (layers || 1);
        to.fewest = Math.min(to.fewest, count);
        to.most = Math.max(to.most, count);
        to.layers ||= layers > 0;
      }
  };
  visit(program.steps, 0);
  const widestOf = (fewest: number, each: number) =>
    fewest < manyItems || each > blockSize / 2 ? blockSize : each <= 32 ? 32 : each <= 64 ? 64 : 128;
  return items.map(({ fewest, most, layers }, k) =>
    program.anyOrder
      ? {
          widest: widestOf(fewest, longestLoop(flat[k].body) / mostElements),
          layers,
          many: fewest >= itemsAhead,
          anyOrder: true,
        }
      : { few: most <= fewItems, layers, many: fewest >= itemsAhead },
  );
}

/** The kernels of flash attention that a program calls, after what they share; nothing if it calls none. */
export function flashKernels(program: Program): { name: string; text: string }[] {
  const found = new Map<string, string>();
  const visit = (list: readonly Step[]): void => {
    for (const s of list)
      if (s.kind === "loop") visit(s.body);
      else if (s.kind === "flash") found.set(flashName(s), flashText(s));
  };
  visit(program.steps);
  const kernels = [...found].map(([name, text]) => ({ name, text }));
  return kernels.length === 0 ? [] : [{ name: "", text: `${tensorCores}${flashHead}` }, ...kernels];
}
