import { byteSize } from "../dtype.ts";
import type { Node } from "../graph.ts";
import { round64 } from "../heap-guard.ts";
import type { CostModel } from "../kernel/cost.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { BufferInfo, FlashStep, GemmStep, Place, Program, Step } from "../kernel/program.ts";
import { sizeOf } from "../shape.ts";
import { Barriers, type Touched } from "./barriers.ts";
import { Kernels } from "./kernels.ts";
import type { Lowered } from "./lowered-kernel.ts";
import { allocate, type Block } from "./memory.ts";

/** Memory before it has an address: a part of a caller's buffer, or of a block that the planner will place in the arena. */
export interface Spot {
  readonly buffer: number;
  readonly block?: Block;
  readonly offset: number;
  readonly advance?: Place["advance"];
}

/** What lowering needs to know of the target. */
export interface LoweringOptions {
  readonly precision: "f32" | "bf16";
  readonly cost: CostModel;
  /** In a grid, long rows are divided among groups of threads. */
  readonly schedule: "rows" | "grid";
  /** For a device with tensor cores: operands of products are stored as bf16, and long sums are split. */
  readonly fast?: boolean;
}

/** A readable description of a step, also used by the planner. */
export interface StepInfo {
  readonly label: string;
  readonly flop: number;
  readonly bytes: number;
  /** Number of repetitions by loops. */
  readonly times: number;
}

/** The memory of a step of flash attention. */
type FlashPlace = "q" | "k" | "v" | "all" | "g" | "sums" | "out";

type Access = Touched & { readonly spot: Spot; readonly bytes: number };
type Raw =
  | { kind: "step"; make: (place: (s: Spot) => Place) => Step; accesses: Access[]; info: StepInfo }
  | { kind: "loop"; loop: number; count: number | Spot; most: number; together: boolean; body: Raw[] };

/** A program under construction: steps in order, and memory whose addresses are decided at the end. */
export class Draft {
  private readonly kernels = new Kernels();
  private readonly root: Raw[] = [];
  private list = this.root;
  private readonly blocks: Block[] = [];
  private clock = 0;
  private loops = 0;
  /** Blocks that open loops use but that were made outside: they must live until the loop ends. */
  private readonly open: Set<Block>[] = [];
  /** When each open loop began. */
  private readonly started: number[] = [];
  private scratchBytes = 0;
  /** The open loop whose iterations run at once, each with temporaries of its own. */
  private apart: { readonly loop: number; readonly count: number } | undefined;
  /** Number of repetitions of the steps being added. */
  private times = 1;
  readonly options: LoweringOptions;
  /** Buffers with contents when the program begins. */
  private readonly given: Set<number>;
  /** Inputs that the program only reads. */
  private readonly constant: ReadonlySet<number>;
  private readonly buffers: BufferInfo[];
  private readonly copies = new Map<number, Spot>();
  /** Blocks and buffers that a step has written. */
  private readonly written = new Set<Block | number>();

  /** `buffers` are the caller's, after the arena. */
  constructor(
    options: LoweringOptions,
    inputs: readonly Spot[],
    outputs: readonly Spot[],
    buffers: BufferInfo[],
  ) {
    this.options = options;
    const changed = new Set(outputs.map((s) => s.buffer));
    this.given = new Set(inputs.map((s) => s.buffer));
    this.constant = new Set([...this.given].filter((b) => !changed.has(b)));
    this.buffers = buffers;
  }

  /** The copy in bf16 that the back end keeps of an input, if the program only reads it. */
  copyOf(input: Spot): Spot | undefined {
    if (input.offset !== 0 || input.advance || !this.constant.has(input.buffer)) return undefined;
    let spot = this.copies.get(input.buffer);
    if (!spot) {
      const { bytes, label } = this.buffers[input.buffer - 1];
      this.buffers.push({ bytes: bytes / 2, role: "copy", label: `${label} in bf16`, of: input.buffer });
      spot = { buffer: this.buffers.length, offset: 0 };
      this.given.add(spot.buffer);
      this.copies.set(input.buffer, spot);
    }
    return spot;
  }

  /** Memory that lives from its first to its last use. */
  temporary(bytes: number): Spot {
    const { apart } = this;
    const stride = round64(Math.max(4, bytes));
    const block: Block = {
      bytes: apart ? stride * apart.count : Math.max(4, bytes),
      first: -1,
      last: -1,
      offset: 0,
      depth: this.open.length,
    };
    this.blocks.push(block);
    return { buffer: 0, block, offset: 0, ...(apart ? { advance: [{ loop: apart.loop, stride }] } : {}) };
  }

  advanced(spot: Spot, offset: number, loop?: number, stride = 0): Spot {
    if (offset === 0 && loop === undefined) return spot;
    const advance = loop === undefined ? spot.advance : [...(spot.advance ?? []), { loop, stride }];
    return { ...spot, offset: spot.offset + offset, ...(advance ? { advance } : {}) };
  }

  private touch(spots: readonly Spot[]): void {
    for (const { block } of spots) {
      if (!block) continue;
      // Memory that outlives an iteration is in use from the start of the loop.
      if (block.first < 0) block.first = this.started[block.depth] ?? this.clock;
      block.last = Math.max(block.last, this.clock);
      for (let d = block.depth; d < this.open.length; d++) this.open[d].add(block);
    }
  }

  /** Adds a step that `make` writes when places are known. It touches only the memory that is listed. */
  add(make: (place: (s: Spot) => Place) => Step, accesses: Access[], info: Omit<StepInfo, "times">): void {
    this.touch(accesses.map((a) => a.spot));
    this.check(accesses, info.label);
    this.list.push({ kind: "step", make, accesses, info: { ...info, times: this.times } });
    this.clock++;
  }

  /** Checks that a step does not read memory of the program that no earlier step wrote: its contents would be undefined. */
  private check(accesses: readonly Access[], label: string): void {
    const home = ({ spot }: Access) => spot.block ?? spot.buffer;
    for (const a of accesses)
      if (
        !a.writes &&
        a.bytes > 0 &&
        !this.written.has(home(a)) &&
        (a.spot.block || !this.given.has(a.spot.buffer))
      )
        throw new Error(`internal: "${label}" reads memory that no step has written.`);
    for (const a of accesses) if (a.writes) this.written.add(home(a));
  }

  call(l: Lowered, spotOf: (n: Node) => Spot): void {
    const { label } = l.kernel;
    const chosen = this.kernels.add(l);
    const writes = writtenParams(l.kernel);
    this.scratchBytes = Math.max(this.scratchBytes, l.scratchBytes);
    const args = l.args.map((a, i) =>
      "scratch" in a
        ? a
        : {
            spot: spotOf(a),
            bytes: sizeOf(a.shape) * (l.kernel.params[i].half ? 2 : byteSize(a.dtype)),
          },
    );
    const accesses = args.flatMap((a, i) =>
      "spot" in a
        ? [{ spot: a.spot, bytes: a.bytes, writes: writes.has(i), ...(l.parts ? { parts: l.parts } : {}) }]
        : [],
    );
    const bytes = accesses.reduce((n, a) => n + a.bytes, 0);
    this.add(
      (place) => ({
        kind: "call",
        ...chosen(),
        scratchBytes: l.scratchBytes,
        barrier: false,
        args: args.map((a) =>
          "scratch" in a ? { buffer: 0, offset: a.scratch, scratch: true } : place(a.spot),
        ),
      }),
      accesses,
      { label, flop: flopOf(l), bytes },
    );
  }

  gemm(
    shape: Pick<GemmStep, "m" | "n" | "k" | "batch" | "aStrides" | "bStrides" | "cRow" | "halves">,
    a: Spot,
    b: Spot,
    c: Spot,
    sizes: { a: number; b: number; c: number },
    bias?: Spot,
  ): void {
    const count = shape.batch.reduce((n, d) => n * d.extent, 1);
    const { precision } = this.options;
    const access = (s: Spot, size: number, half: boolean) => ({
      spot: s,
      bytes: size * (half ? 2 : 4),
      writes: s === c,
    });
    const half = shape.halves !== undefined;
    this.add(
      (place) => ({
        kind: "gemm",
        ...shape,
        a: place(a),
        b: place(b),
        c: place(c),
        ...(bias ? { bias: place(bias) } : {}),
        precision,
        barrier: false,
      }),
      [
        access(a, sizes.a, half),
        access(b, sizes.b, half),
        access(c, sizes.c, shape.halves === "all"),
        ...(bias ? [access(bias, shape.n, false)] : []),
      ],
      {
        label: `matmul${bias ? " + bias" : ""} ${count > 1 ? `${count} × ` : ""}${shape.m}×${shape.k}·${shape.k}×${shape.n}`,
        flop: 2 * count * shape.m * shape.n * shape.k,
        bytes: 4 * count * (shape.m * shape.k + shape.k * shape.n + shape.m * shape.n),
      },
    );
  }

  flash(
    shape: Omit<FlashStep, "kind" | "barrier" | FlashPlace>,
    spots: { readonly [K in FlashPlace]?: Spot } & { readonly out: Spot },
    sizes: { readonly members: number; readonly out: number },
  ): void {
    const { part, queries, keys, width } = shape;
    const named = Object.entries(spots) as [FlashPlace, Spot][];
    const rows = sizes.members * Math.max(queries, keys) * width;
    const bytes = (name: FlashPlace) =>
      name === "out" ? 4 * sizes.out : name === "all" ? 4 * rows : 2 * rows;
    this.add(
      (place) => ({
        kind: "flash",
        ...shape,
        ...(Object.fromEntries(named.map(([name, s]) => [name, place(s)])) as Pick<FlashStep, FlashPlace>),
        barrier: false,
      }),
      named.map(([name, spot]) => ({ spot, bytes: bytes(name), writes: name === "out" })),
      {
        label: `attention, ${part} ${sizes.members} × ${queries}×${width}·${width}×${keys}`,
        flop:
          ({ output: 4, queries: 6, keys: 8 }[part] * sizes.members * queries * keys * width) /
          (shape.causal ? 2 : 1),
        bytes: named.reduce((n, [name]) => n + bytes(name), 0),
      },
    );
  }

  copy(from: Spot, to: Spot, bytes: number): void {
    if (from === to || bytes === 0) return;
    this.add(
      (place) => ({ kind: "copy", from: place(from), to: place(to), bytes, barrier: false }),
      [
        { spot: from, bytes, writes: false },
        { spot: to, bytes, writes: true },
      ],
      { label: "copy", flop: 0, bytes: 2 * bytes },
    );
  }

  /** Steps that are repeated `count` times; with `together` a device may run each of them for all iterations at once. */
  loop(count: number | Spot, most: number, body: (loop: number) => void, together = false): void {
    const loop = this.loops++;
    const { list: before, apart } = this;
    const own = together && !apart;
    if (own) this.apart = { loop, count: most };
    if (typeof count !== "number") this.touch([count]);
    const raw: Raw & { kind: "loop" } = { kind: "loop", loop, count, most, together: own, body: [] };
    before.push(raw);
    this.list = raw.body;
    this.open.push(new Set());
    this.started.push(this.clock);
    this.clock++;
    this.times *= most;
    body(loop);
    this.times /= most;
    this.apart = apart;
    this.list = before;
    this.started.pop();
    for (const block of this.open.pop()!) block.last = Math.max(block.last, this.clock);
    this.clock++;
  }

  /** Descriptions of the steps, in order. */
  infos(): StepInfo[] {
    const collect = (list: readonly Raw[]): StepInfo[] =>
      list.flatMap((r) => (r.kind === "step" ? [r.info] : collect(r.body)));
    return collect(this.root);
  }

  /** Places every block and writes the program. Barriers are left out for one thread, unless the back end runs steps in any order. */
  finish(threads: number): Program {
    const sequential = threads === 1 && this.options.schedule !== "grid";
    const arena = allocate(this.blocks.filter((b) => b.first >= 0));
    const place = (s: Spot): Place => ({
      buffer: s.buffer,
      offset: s.offset + (s.block?.offset ?? 0),
      ...(s.advance ? { advance: s.advance } : {}),
    });
    const convert = (list: readonly Raw[]): Step[] => {
      const barriers = new Barriers();
      return list.map((r): Step => {
        if (r.kind === "loop") {
          barriers.restart();
          return {
            kind: "loop",
            loop: r.loop,
            most: r.most,
            ...(r.together ? { together: true } : {}),
            count: typeof r.count === "number" ? r.count : place(r.count),
            body: convert(r.body),
            barrier: true,
          };
        }
        const step = r.make(place);
        if (sequential) return step;
        return { ...step, barrier: barriers.before(r.accesses) } as Step;
      });
    };
    const steps = convert(this.root);
    return {
      buffers: [{ bytes: arena, role: "arena", label: "arena" }, ...this.buffers],
      kernels: this.kernels.list(),
      steps,
      scratchBytes: this.scratchBytes,
      threads,
      ...(this.options.fast ? { anyOrder: true } : {}),
    };
  }
}

function writtenParams(kernel: Kernel): Set<number> {
  const out = new Set<number>();
  const visit = (list: Kernel["body"]): void => {
    for (const s of list) {
      if (s.kind === "store") out.add(s.param);
      else if (s.kind === "for" || s.kind === "while") visit(s.body);
      else if (s.kind === "if") {
        visit(s.then);
        if (s.else) visit(s.else);
      }
    }
  };
  visit(kernel.body);
  return out;
}

/** Arithmetic operations of one call, from the loops' extents. */
function flopOf(l: Lowered): number {
  const count = (list: Kernel["body"]): number =>
    list.reduce((n, s) => {
      if (s.kind === "let") return n + 1;
      if (s.kind === "for")
        return (
          n +
          count(s.body) *
            (typeof s.extent === "number" ? s.extent : "constant" in s.extent ? s.extent.constant : 64)
        );
      if (s.kind === "if") return n + count(s.then);
      if (s.kind === "while") return n + count(s.body) * 64;
      return n;
    }, 0);
  return count(l.kernel.body) * l.extent;
}
