import { round64 } from "../../heap-guard.ts";
import type { Place, Program, Step } from "../../kernel/program.ts";
import { contextHeader, contextWord } from "../../kernel/program.ts";
import type { Code } from "./assembler.ts";
import type { GemmFunction } from "./gemm.ts";

export interface ProgramOptions {
  readonly relaxed: boolean;
  readonly arm: boolean;
  /** Whether several threads may call `main` at once. */
  readonly threaded: boolean;
  /** Whether thread 0 may sleep at a barrier: a browser's main thread may not. */
  readonly mayWait: boolean;
}

/** Imports of a module beside the memory: a cached module may run in another process, where these addresses differ. */
export interface Addresses {
  /** Heap offset of the two words of the barrier. */
  readonly barrier: number;
  /** Heap offset of the workspace of the matrix products. */
  readonly workspace: number;
}

/** Copies below this size are not shared among threads. */
const sharedCopy = 16384;
/** Minimum bytes that one thread copies. */
const piece = 4096;

/** The functions that `main` calls, and the workspace of the matrix products. */
interface Parts {
  readonly kernels: readonly number[];
  readonly products: ReadonlyMap<Step, GemmFunction>;
  readonly barrier: number;
  /** The global with its address. */
  readonly workspace: number;
  readonly workspaceBytes: number;
}

const [context, thread, threads] = [0, 1, 2];

/** Writes `main(context, thread, threads)`. */
export function emitMain(code: Code, program: Program, options: ProgramOptions, parts: Parts): void {
  new Main(code, program, options, parts).run();
}

/** Every thread runs `main` and takes its share of each step. */
class Main {
  private readonly code: Code;
  private readonly program: Program;
  private readonly options: ProgramOptions;
  private readonly parts: Parts;
  private readonly counters = new Map<number, number>();
  private readonly scratch: number;
  private readonly workspace: number;

  constructor(code: Code, program: Program, options: ProgramOptions, parts: Parts) {
    this.code = code;
    this.program = program;
    this.options = options;
    this.parts = parts;
    this.scratch = code.local("i32");
    this.workspace = code.local("i32");
  }

  run(): void {
    const { code, parts, program } = this;
    const own = (bytes: number) => {
      if (this.options.threaded) code.get(thread).i32(bytes).op("i32.mul").op("i32.add");
    };
    code.get(context).memory("i32.load", 0);
    own(round64(program.scratchBytes));
    code.set(this.scratch).global(parts.workspace);
    own(parts.workspaceBytes);
    code.set(this.workspace);
    this.steps(program.steps);
    // The caller reads the results next, so all threads must have finished writing.
    this.barrier();
  }

  private barrier(): void {
    if (this.options.threaded) this.code.get(thread).get(threads).call(this.parts.barrier);
  }

  private steps(steps: readonly Step[]): void {
    for (const step of steps) {
      if (step.barrier) this.barrier();
      this.step(step);
    }
  }

  private step(step: Step): void {
    const { code, parts } = this;
    switch (step.kind) {
      case "call":
        for (const place of step.args) this.place(place);
        this.share(step.extent);
        if (step.length !== undefined) code.i32(step.length);
        code.call(parts.kernels[step.kernel]);
        return;
      case "gemm": {
        const { index, items } = parts.products.get(step) as GemmFunction;
        for (const place of [step.a, step.b, step.c]) this.place(place);
        if (step.bias) this.place(step.bias);
        else code.i32(0);
        code.get(this.workspace);
        this.share(items);
        code.call(index);
        return;
      }
      case "attend":
        throw new Error("internal: a step of devices in a program of the host.");
      case "copy":
        this.copy(step);
        return;
      case "loop":
        this.loop(step);
        return;
    }
  }

  /** Pushes a heap address. */
  private place(place: Place): void {
    const { code } = this;
    if (place.scratch) code.get(this.scratch);
    else code.get(context).memory("i32.load", contextWord * (contextHeader + place.buffer));
    if (place.offset !== 0) code.i32(place.offset).op("i32.add");
    for (const { loop, stride } of place.advance ?? []) {
      const counter = this.counters.get(loop);
      if (counter === undefined)
        throw new Error(
          `A place of buffer ${place.buffer} advances with loop ${loop}, which is not around it.`,
        );
      code.get(counter).i32(stride).op("i32.mul").op("i32.add");
    }
  }

  /** Pushes the begin and end of this thread's share of `extent`. */
  private share(extent: number): void {
    const { code } = this;
    if (!this.options.threaded) return void code.i32(0).i32(extent);
    code.i32(extent).get(thread).op("i32.mul").get(threads).op("i32.div_u");
    code.i32(extent).get(thread).i32(1).op("i32.add").op("i32.mul").get(threads).op("i32.div_u");
  }

  /** Pushes the begin and end of this thread's share of `bytes`, in units of a page: products with the number of threads stay below 2³². */
  private shareBytes(bytes: number): void {
    const { code } = this;
    const end = code.local("i32");
    this.share(Math.ceil(bytes / piece));
    code.i32(piece).op("i32.mul").set(end).i32(piece).op("i32.mul");
    code.get(end).i32(bytes).get(end).i32(bytes).op("i32.lt_u").op("select");
    code.free(end);
  }

  private copy(step: Extract<Step, { kind: "copy" }>): void {
    const { code } = this;
    const shared = this.options.threaded && step.bytes >= sharedCopy;
    if (!shared) {
      // Scratch is private, so every thread makes its own copy.
      const once = this.options.threaded && !step.to.scratch;
      if (once) code.get(thread).op("i32.eqz").if();
      this.place(step.to);
      this.place(step.from);
      code.i32(step.bytes).memoryCopy();
      if (once) code.op("end");
      return;
    }
    const [begin, end] = [code.local("i32"), code.local("i32")];
    if (step.to.scratch) code.i32(0).i32(step.bytes);
    else this.shareBytes(step.bytes);
    code.set(end).set(begin);
    this.place(step.to);
    code.get(begin).op("i32.add");
    this.place(step.from);
    code.get(begin).op("i32.add").get(end).get(begin).op("i32.sub").memoryCopy();
    code.free(begin);
    code.free(end);
  }

  private loop(step: Extract<Step, { kind: "loop" }>): void {
    const { code } = this;
    const counter = code.local("i32");
    const limit = code.local("i32");
    if (typeof step.count === "number") code.i32(Math.min(step.count, step.most)).set(limit);
    else {
      this.place(step.count);
      code
        .memory("i32.load")
        .tee(limit)
        .i32(step.most)
        .get(limit)
        .i32(step.most)
        .op("i32.lt_s")
        .op("select")
        .set(limit);
    }
    this.counters.set(step.loop, counter);
    code.i32(0).set(counter).block().get(counter).get(limit).op("i32.ge_s").brIf(0).loop();
    this.steps(step.body);
    code.get(counter).i32(1).op("i32.add").tee(counter).get(limit).op("i32.lt_s").brIf(0).op("end").op("end");
    this.counters.delete(step.loop);
    code.free(counter);
    code.free(limit);
  }
}
