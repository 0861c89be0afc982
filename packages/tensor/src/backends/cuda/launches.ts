import { round64 } from "../../heap-guard.ts";
import { contextHeader, type GemmStep, type Place, type Program, type Step } from "../../kernel/program.ts";
import { countLoops, iterationsOf, scratchOf } from "../grid/steps.ts";
import { tripCount } from "../native/analysis.ts";
import { attendFields, attendLaunches, attendWords } from "./attend.ts";
import { callsOf, flashKernels } from "./calls.ts";
import { type Emitted, emitKernel } from "./emit.ts";
import { flashFields, flashLaunch, flashWords } from "./flash.ts";
import { gemmFields, gemmLaunch, gemmWords, mostBatchDims } from "./gemm.ts";
import { gemmHalfLaunch } from "./gemm-half.ts";
import { libraryWords } from "./library.ts";
import { fastMark, placeWord, prelude } from "./prelude.ts";
import { blockSize, groupsOf, threadsOf } from "./shape.ts";

/** A launch of a kernel: its name and module, its grid, and its arguments. Word 0 is the address of the table, which the caller fills in. */
export interface Launch {
  readonly module: "program" | "library";
  readonly name: string;
  readonly grid: readonly [number, number, number];
  readonly block: number;
  readonly words: BigInt64Array;
  /** Whether all earlier launches must have ended; otherwise it may run with those since the last that waits. */
  readonly waits: boolean;
  /** The same work for cuBLAS, if it has it: a product of bf16 operands at these places. */
  readonly product?: {
    readonly step: GemmStep;
    readonly places: { readonly a: bigint; readonly b: bigint; readonly c: bigint };
    /** Fills c with the bias, to which the product is then added. */
    readonly bias?: Omit<Launch, "waits">;
  };
}

/** A copy in bf16 of an input that the program only reads, by the numbers of both buffers, and the launch that makes it. */
export interface HalfCopy {
  readonly input: number;
  readonly copy: number;
  readonly launch: Omit<Launch, "waits">;
}

/** A program as CUDA text and launches. */
export interface Emission {
  readonly text: string;
  /** Names of the kernels in `text`. */
  readonly kernels: readonly string[];
  /** Words of the table of addresses: scratch, buffers, then the lengths of loops. */
  readonly tableWords: number;
  /** Bytes of the device's memory for scratch. */
  readonly scratchBytes: number;
  readonly copies: readonly HalfCopy[];
  /** Number of launches of one run, at most. */
  readonly count: number;
  /**
   * Whether a loop whose length is a result has products for cuBLAS, which cannot skip iterations: then `each` needs `lengthAt`, and a
   * recorded graph would not do.
   */
  readonly readsLengths: boolean;
  /**
   * Calls `launch` for one launch after the other, in order. Loops whose length is a result have their maximum number of iterations, which
   * skip themselves on the device, or the number that `lengthAt` reads at a place.
   */
  each(launch: (l: Launch) => void, lengthAt?: (place: bigint) => number): void;
}

/** Bytes of the device's memory for the scratch of all groups of a launch: with more, fewer groups take several iterations each. */
const mostScratch = 2 ** 28;
/** Maximum blocks of a launch: several waves on any device. */
const mostBlocks = 8192;
/** Maximum extent of a grid's z axis. */
const mostLayers = 65535;

export function emitProgram(program: Program): Emission {
  const bytes = scratchOf(program);
  const calls = callsOf(program);
  const kernels = program.kernels.map((k, i) => emitKernel(k, `k${i}`, round64(bytes[i]), calls[i]));
  const flash = flashKernels(program);
  const loops = countLoops(program.steps);
  const tableWords = contextHeader + program.buffers.length + loops;
  const lengthWord = (loop: number) => contextHeader + program.buffers.length + loop;
  /** Groups that a launch of a kernel may have at once, by the scratch memory that they need. */
  const groupsAtOnce = (k: number) =>
    kernels[k].shared || bytes[k] === 0
      ? Number.POSITIVE_INFINITY
      : Math.floor(mostScratch / round64(bytes[k]));
  const blocksOf = (k: number, extent: number, layers: number) => {
    const each = groupsOf(kernels[k].shape);
    const most = Math.max(1, Math.min(mostBlocks, Math.floor(groupsAtOnce(k) / each / layers)));
    return Math.max(1, Math.min(Math.ceil((extent * kernels[k].inner) / each), most));
  };

  const each: Emission["each"] = (take, lengthAt) => {
    const at: number[] = [];
    /** Whether the next launch waits for all before it, and the memory that launches since the last such one share. */
    let waits = true;
    const shared = new Set<"scratch" | "cublas">();
    const launch = (l: Omit<Launch, "waits">, uses?: "scratch" | "cublas") => {
      const own = waits || (uses !== undefined && shared.has(uses));
      if (own) shared.clear();
      if (uses) shared.add(uses);
      take({ ...l, waits: own });
      // Further launches of the same step.
      waits = true;
    };
    /** The loop around the current step whose iterations are the layers of each launch. */
    let across: { readonly loop: number; readonly layers: number } | undefined;
    const stepOf = (p: Place): number => p.advance?.find(({ loop }) => loop === across?.loop)?.stride ?? 0;
    /** The loop of unknown length around the current step: its word and iteration. */
    const run = (s: Step, guard: readonly [number, number]): void => {
      waits = s.barrier;
      const place = (p: Place): bigint => {
        if (p.scratch) return BigInt(p.offset);
        let { offset } = p;
        for (const { loop, stride } of p.advance ?? []) offset += stride * at[loop];
        return placeWord(contextHeader + p.buffer, offset);
      };
      const words = (count: number, list: readonly (bigint | number)[]) => {
        const out = new BigInt64Array(count);
        [0, ...guard, ...list].forEach((w, i) => {
          out[i] = BigInt(w);
        });
        return out;
      };
      const library = (name: string, grid: Launch["grid"], args: BigInt64Array, block = blockSize) =>
        launch({ module: "library", name, grid, block, words: args });
      const layers = across?.layers ?? 1;
      switch (s.kind) {
        case "call": {
          if (s.extent === 0) return;
          const kernel = kernels[s.kernel];
          const [x, y] = gridOf(kernel, s, blocksOf(s.kernel, s.extent, layers));
          const steps = kernel.layers ? s.args.map(stepOf) : [];
          launch(
            {
              module: "program",
              name: kernel.name,
              grid: [x, y, layers],
              block: threadsOf(kernel.shape),
              words: words(kernel.words, [...s.args.map(place), s.extent, s.length ?? 0, ...steps]),
            },
            bytes[s.kernel] > 0 && !kernel.shared ? "scratch" : undefined,
          );
          return;
        }
        case "gemm": {
          const all = across ? withLayers(s, layers, stepOf) : s;
          if (!all) return eachLayer(() => run(s, guard));
          const chosen = s.halves ? gemmHalfLaunch(all) : gemmLaunch(all);
          if (!chosen) return;
          const places = { a: place(s.a), b: place(s.b), c: place(s.c) };
          const list = [...Object.values(places), s.bias ? place(s.bias) : -1, ...gemmFields(all)];
          const args = words(gemmWords, list);
          const { name, grid, block = blockSize } = chosen;
          const own: Omit<Launch, "waits"> = { module: "library", name, grid, block, words: args };
          if (!s.halves || guard[0] !== 0) return launch(own);
          const elements = s.m * s.n * all.batch.reduce((n, d) => n * d.extent, 1);
          const rowBlocks = Math.min(Math.ceil(elements / blockSize), mostBlocks);
          const rows: Omit<Launch, "waits"> = {
            ...own,
            name: "biasRows",
            grid: [rowBlocks, 1, 1],
            block: blockSize,
          };
          return launch(
            { ...own, product: { step: all, places, ...(s.bias ? { bias: rows } : {}) } },
            "cublas",
          );
        }
        case "flash": {
          if (across) return eachLayer(() => run(s, guard));
          const placed = (name: "q" | "k" | "v" | "all" | "g" | "sums" | "out") => {
            const p = s[name];
            return p ? place(p) : -1;
          };
          const { name, grid, block = blockSize } = flashLaunch(s);
          const args = words(flashWords, flashFields(s, placed));
          return launch({ module: "program", name, grid, block, words: args });
        }
        case "attend": {
          if (across) return eachLayer(() => run(s, guard));
          const list = [s.q, s.k, s.v, s.lengths, s.rows?.place, s.out, s.partial];
          const places = list.map((p) => (p ? place(p) : -1));
          const args = words(attendWords, [...places, ...attendFields(s)]);
          for (const { name, grid } of attendLaunches(s)) library(name, grid, args);
          return;
        }
        case "copy": {
          const grid = Math.min(Math.ceil(s.bytes / 4 / blockSize) || 1, mostBlocks);
          const args = [place(s.from), place(s.to), s.bytes, stepOf(s.from), stepOf(s.to)];
          library("copyBytes", [grid, 1, layers], words(libraryWords, args));
          return;
        }
        case "loop": {
          const fixed = typeof s.count === "number" || lengthAt !== undefined;
          const length = lengthWord(s.loop);
          if (!fixed)
            library(
              "setLength",
              [1, 1, 1],
              words(libraryWords, [place(s.count as Place), s.most, length]),
              1,
            );
          const count =
            lengthAt && typeof s.count !== "number"
              ? Math.min(lengthAt(place(s.count)), s.most)
              : iterationsOf(s);
          const step = s.together ? mostLayers : 1;
          for (let i = 0; i < count; i += step) {
            at[s.loop] = i;
            if (s.together) across = { loop: s.loop, layers: Math.min(step, count - i) };
            for (const inner of s.body) run(inner, fixed ? guard : [length, i]);
          }
          if (s.together) across = undefined;
        }
      }
    };
    /** Launches of one layer after the other. */
    const eachLayer = (one: () => void): void => {
      const { loop, layers } = across!;
      const before = across;
      across = undefined;
      for (let i = 0; i < layers; i++, at[loop]++) one();
      at[loop] -= layers;
      across = before;
    };
    for (const s of program.steps) run(s, [0, 0]);
  };

  const copies = program.buffers.flatMap(({ of, bytes }, copy): HalfCopy[] => {
    if (of === undefined) return [];
    const list = [0, 0, 0, placeWord(contextHeader + of, 0), placeWord(contextHeader + copy, 0), bytes / 2];
    const grid = [Math.min(Math.ceil(bytes / 2 / blockSize), mostBlocks), 1, 1] as const;
    const args = BigInt64Array.from(list, BigInt);
    return [
      {
        input: of,
        copy,
        launch: { module: "library", name: "halveAll", grid, block: blockSize, words: args },
      },
    ];
  });
  let scratchBytes = 0;
  const size = (list: readonly Step[], layers = 1): number =>
    list.reduce((n, s) => {
      if (s.kind === "loop") {
        const count = iterationsOf(s);
        return s.together
          ? n + 1 + size(s.body, Math.min(count, mostLayers)) * Math.ceil(count / mostLayers)
          : n + 1 + size(s.body, layers) * count;
      }
      if (s.kind === "call" && bytes[s.kernel] > 0 && !kernels[s.kernel].shared) {
        const groups = layers * blocksOf(s.kernel, s.extent, layers) * groupsOf(kernels[s.kernel].shape);
        scratchBytes = Math.max(scratchBytes, groups * round64(bytes[s.kernel]));
      }
      return n + 1;
    }, 0);
  const count = size(program.steps);
  return {
    text: [
      ...(program.anyOrder ? [fastMark] : []),
      prelude,
      ...kernels.map((k) => k.text),
      ...flash.map((f) => f.text),
      "",
    ].join("\n"),
    kernels: [...kernels, ...flash.slice(1)].map((k) => k.name),
    tableWords,
    scratchBytes,
    copies,
    count,
    readsLengths: multipliesHalves(program.steps, false),
    each,
  };
}

/** Whether there are products of bf16 operands in a loop whose length is a result. */
const multipliesHalves = (list: readonly Step[], within: boolean): boolean =>
  list.some((s) =>
    s.kind === "loop"
      ? multipliesHalves(s.body, within || typeof s.count !== "number")
      : within && s.kind === "gemm" && s.halves !== undefined,
  );

/** A product of all layers; undefined if their operands are not a batch. */
function withLayers(s: GemmStep, layers: number, stepOf: (p: Place) => number): GemmStep | undefined {
  if (s.batch.length >= mostBatchDims || (s.bias && stepOf(s.bias) !== 0)) return undefined;
  const [operand, result] = [s.halves ? 2 : 4, s.halves === "all" ? 2 : 4];
  const layer = {
    extent: layers,
    a: stepOf(s.a) / operand,
    b: stepOf(s.b) / operand,
    c: stepOf(s.c) / result,
  };
  return { ...s, batch: [layer, ...s.batch] };
}

function gridOf(k: Emitted, s: Step & { kind: "call" }, blocks: number): [number, number, number] {
  if (k.shape.kind !== "spread") return [blocks, 1, 1];
  const trips = tripCount(k.shape.loop) ?? Math.ceil((s.length ?? blockSize * 32) / s.extent);
  return [Math.max(1, Math.min(Math.ceil(trips / blockSize), 1024)), Math.min(s.extent * k.inner, 65535), 1];
}
