import { round64 } from "../../heap-guard.ts";
import { contextHeader, type Place, type Program, type Step } from "../../kernel/program.ts";
import { countLoops, iterationsOf, scratchOf } from "../grid/steps.ts";
import { tripCount } from "../native/analysis.ts";
import { type Code, copyCode, gemmCode, kernelCode, lengthCode } from "./code.ts";
import { type Layout, layoutOf } from "./emit.ts";
import { type Grid, gemmDispatch, gemmFields, gemmWords, noBias } from "./gemm.ts";
import { copyWords, lengthWords } from "./library.ts";
import { header } from "./prelude.ts";

/** One dispatch of a run. */
export interface Dispatch {
  readonly code: Code;
  /** Words of the table, each with the address of a buffer that the dispatch uses; 0 is scratch memory. */
  readonly buffers: readonly number[];
  readonly grid: Grid;
  /** The first word of its arguments in `Emission.words`. */
  readonly start: number;
}

/** A program as WGSL and dispatches. */
export interface Emission {
  readonly dispatches: readonly Dispatch[];
  /** The arguments of all dispatches. */
  readonly words: Uint32Array<ArrayBuffer>;
  /** Words that each dispatch can see. */
  readonly window: number;
  /** Words of the table: the addresses of scratch and buffers, then the lengths of loops. */
  readonly tableWords: number;
  readonly scratchBytes: number;
}

/** Limits of the device that code depends on. */
export interface EmissionLimits {
  readonly workgroupBytes: number;
  /** Words between the arguments of two dispatches. */
  readonly alignment: number;
}

/** Bytes of the device's memory for the scratch of all groups of a dispatch: with more, fewer groups take several iterations each. */
const mostScratch = 2 ** 26;
/** Maximum workgroups of a dispatch: several waves on any device. */
const mostBlocks = 8192;
/** Maximum dispatches of a run. More would take seconds to queue, in every run. */
const mostDispatches = 200_000;

export function emitProgram(program: Program, limits: EmissionLimits): Emission {
  const bytes = scratchOf(program);
  const layouts = program.kernels.map((k, i) => layoutOf(k, round64(bytes[i]), limits.workgroupBytes));
  const codes = program.kernels.map((kernel, i) => kernelCode(kernel, layouts[i]));
  const lengthWord = (loop: number) => contextHeader + program.buffers.length + loop;
  /** Workgroups of a call, by its iterations and the scratch memory that its groups need. */
  const blocksOf = (k: number, extent: number) => {
    const { groups, shared } = layouts[k];
    const atOnce =
      shared || bytes[k] === 0 ? mostBlocks : Math.floor(mostScratch / round64(bytes[k]) / groups);
    return Math.max(1, Math.min(Math.ceil(extent / groups), atOnce, mostBlocks));
  };
  const dispatches: Dispatch[] = [];
  const words: number[] = [];
  let window = header;
  let scratchBytes = 0;
  const at: number[] = [];

  /** `guard`: the loop of unknown length around the step, as the word of its length and the iteration. */
  const run = (s: Step, guard: readonly [number, number]): void => {
    /** A place as two words of arguments. */
    const place = (p: Place): [number, number] => {
      if (p.scratch) return [0, p.offset];
      let { offset } = p;
      for (const { loop, stride } of p.advance ?? []) offset += stride * at[loop];
      return [contextHeader + p.buffer, offset];
    };
    const add = (
      code: Code,
      places: readonly (readonly [number, number])[],
      grid: Grid,
      own: readonly number[],
    ) => {
      if (dispatches.length >= mostDispatches)
        throw new Error(
          `The program has more than ${mostDispatches} steps when its loops are unrolled, which WebGPU needs. Use shorter loops, or the back end wasm.`,
        );
      dispatches.push({ code, buffers: places.map(([b]) => b), grid, start: words.length });
      window = Math.max(window, own.length);
      words.push(...own);
      while (words.length % limits.alignment) words.push(0);
    };
    switch (s.kind) {
      case "call": {
        if (s.extent === 0) return;
        const layout = layouts[s.kernel];
        const blocks = blocksOf(s.kernel, s.extent);
        const places = s.args.map(place);
        const scratch = bytes[s.kernel] > 0 && !layout.shared;
        if (scratch) scratchBytes = Math.max(scratchBytes, blocks * layout.groups * round64(bytes[s.kernel]));
        add(codes[s.kernel], scratch ? [...places, [0, 0]] : places, gridOf(layout, s, blocks), [
          ...guard,
          s.extent,
          s.length ?? 0,
          ...places.flat(),
        ]);
        return;
      }
      case "gemm": {
        const chosen = gemmDispatch(s);
        if (!chosen) return;
        const [a, b, c] = [s.a, s.b, s.c].map(place);
        const bias = s.bias ? place(s.bias) : undefined;
        const fields = [...guard, 0, 0, ...a, ...b, ...c, ...(bias ?? [noBias, 0]), ...gemmFields(s)];
        while (fields.length < gemmWords) fields.push(0);
        add(gemmCode(chosen.variant), [a, b, c, bias ?? c], chosen.grid, fields);
        return;
      }
      case "copy": {
        if (s.bytes === 0) return;
        const [from, to] = [place(s.from), place(s.to)];
        const grid = Math.max(1, Math.min(Math.ceil(s.bytes / 256), mostBlocks));
        const fields = [...guard, 0, 0, ...from, ...to, s.bytes];
        while (fields.length < copyWords) fields.push(0);
        add(copyCode, [from, to], [grid, 1, 1], fields);
        return;
      }
      case "loop": {
        const fixed = typeof s.count === "number";
        const length = lengthWord(s.loop);
        if (typeof s.count !== "number") {
          const from = place(s.count);
          const fields = [...guard, 0, 0, ...from, s.most, length];
          while (fields.length < lengthWords) fields.push(0);
          add(lengthCode, [from], [1, 1, 1], fields);
        }
        const count = iterationsOf(s);
        for (let i = 0; i < count; i++) {
          at[s.loop] = i;
          for (const inner of s.body) run(inner, fixed ? guard : [length, i]);
        }
      }
    }
  };
  for (const s of program.steps) run(s, [0, 0]);
  // The last dispatch sees a whole window too.
  while (words.length % limits.alignment || words.length < window) words.push(0);
  for (let i = 0; i < window; i++) words.push(0);
  return {
    dispatches,
    words: Uint32Array.from(words),
    window: Math.ceil(window / 4) * 4,
    tableWords: lengthWord(countLoops(program.steps)),
    scratchBytes,
  };
}

function gridOf({ shape, size }: Layout, s: Step & { kind: "call" }, blocks: number): Grid {
  if (shape.kind !== "spread") return [blocks, 1, 1];
  const trips = tripCount(shape.loop) ?? Math.ceil((s.length ?? size * 32) / s.extent);
  return [Math.max(1, Math.min(Math.ceil(trips / size), 1024)), Math.min(s.extent, 65535), 1];
}
