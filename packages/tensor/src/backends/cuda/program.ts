import type { Device, DeviceBinding, DeviceBlock, DeviceProgram } from "../../device.ts";
import { contextHeader, type Program } from "../../kernel/program.ts";
import { isProfiling, recordKernel } from "../../profile.ts";
import type { Word } from "../native/foreign.ts";
import type { Cublas } from "./cublas.ts";
import type { Driver, Graph, Module } from "./driver.ts";
import { CudaError } from "./errors.ts";
import type { Emission, Launch } from "./launches.ts";

/** Maximum launches of a graph: building a longer one takes longer than it saves, and programs of that length gain little. */
const longestGraph = 20_000;

/** REINS_CUDA_CHECK=1 finds the kernel of an error: slow, without graphs. */
const checks = process.env.REINS_CUDA_CHECK === "1";

/** Memory for the intermediates and the scratch of a run, shared by all programs: one stream runs them one after the other. */
export class DeviceWorkspace {
  private readonly device: Device;
  private readonly blocks = new Map<"arena" | "scratch", DeviceBlock>();

  constructor(device: Device) {
    this.device = device;
  }

  /** The address of at least `bytes` bytes. It changes when a larger program needs more. */
  address(kind: "arena" | "scratch", bytes: number): number {
    const known = this.blocks.get(kind);
    if (known && known.bytes >= bytes) return known.address;
    known?.release();
    this.blocks.delete(kind);
    const block = this.device.allocate(Math.max(bytes, 512));
    this.blocks.set(kind, block);
    return block.address;
  }
}

interface Loaded {
  readonly driver: Driver;
  readonly device: Device;
  readonly workspace: DeviceWorkspace;
  readonly library: Module;
  /** For products of bf16 operands; without it they have a kernel of their own. */
  readonly cublas?: () => Cublas | undefined;
}

/** A program whose kernels are loaded. Each binding has a table of addresses on the device, and a graph that reads it. */
export function deviceProgram(
  loaded: Loaded,
  program: Program,
  emission: Emission,
  module: Module,
): DeviceProgram {
  const { driver, device, workspace, library } = loaded;
  const handles = new Map<string, Word>();
  const kernelOf = (of: "program" | "library", name: string): Word => {
    const key = `${of}:${name}`;
    let handle = handles.get(key);
    if (handle === undefined) handles.set(key, (handle = (of === "library" ? library : module).kernel(name)));
    return handle;
  };
  const bind = (): DeviceBinding => {
    const block = device.allocate(emission.tableWords * 8);
    const table = new BigUint64Array(emission.tableWords);
    /** The blocks that the program uses, so that they are not released. */
    const used: DeviceBlock[] = [];
    let changed = true;
    let graph: Graph | undefined;
    let runs = 0;
    /** Whether addresses are written into the graph, and not only into the table. */
    let fixed = false;
    const set = (word: number, address: number) => {
      const value = BigInt(address);
      if (table[word] === value) return;
      table[word] = value;
      changed = true;
    };
    const launch = (l: Omit<Launch, "waits">) => {
      l.words[0] = BigInt(block.address);
      driver.launch(kernelOf(l.module, l.name), l.grid, l.block, l.words);
    };
    const addressOf = (place: bigint) => Number(table[Number(place >> 48n)] + (place & 0xffffffffffffn));
    const queue = (l: Launch) => {
      const cublas = l.product && loaded.cublas?.();
      if (!l.product || !cublas?.fits(l.product.step)) return launch(l);
      fixed = true;
      const { step, places, bias } = l.product;
      if (bias) launch(bias);
      const [a, b, c] = [places.a, places.b, places.c].map(addressOf);
      cublas.multiply(step, a, b, c, bias !== undefined);
    };
    const word = new Int32Array(1);
    const lengthAt = emission.readsLengths
      ? (place: bigint) => {
          driver.download(addressOf(place), word);
          return word[0];
        }
      : undefined;
    const launchAll = () => emission.each(queue, lengthAt);
    /** Makes copies of inputs that have changed since they were last copied. */
    const copyInputs = () => {
      const stale = emission.copies.filter(({ input, copy }) => {
        const from = used[input];
        from.half ??= { block: device.allocate(from.bytes / 2), version: -1 };
        used[copy] = from.half.block;
        set(contextHeader + copy, from.half.block.address);
        return from.half.version !== from.version;
      });
      return () => {
        for (const { input, launch: own } of stale) {
          launch(own);
          used[input].half!.version = used[input].version;
        }
      };
    };
    const labelOf = (l: Launch) => {
      if (l.module === "program") return program.kernels[Number(l.name.slice(1))]?.label ?? l.name;
      const s = l.product?.step;
      return s ? `${s.halves ? "bf16 " : ""}matmul ${s.m}×${s.k}·${s.k}×${s.n}` : l.name;
    };
    const launchProfiled = () =>
      emission.each(
        (l) =>
          recordKernel(
            labelOf(l),
            driver.time(() => queue(l)),
          ),
        lengthAt,
      );
    /** Waits after every launch, so that an error names its kernel. */
    const launchChecked = () =>
      emission.each((l) => {
        try {
          queue(l);
          driver.synchronise();
        } catch (error) {
          const { message, code } = error as CudaError;
          const words = l.words.slice(1).join(" ");
          throw new CudaError(
            `In kernel ${l.name} (${labelOf(l)}), grid ${l.grid}, ${l.block} threads, arguments ${words}: ${message}`,
            code,
          );
        }
      }, lengthAt);
    return {
      point(buffer, to) {
        used[buffer] = to;
        set(contextHeader + buffer, to.address);
      },
      run() {
        set(0, workspace.address("scratch", emission.scratchBytes));
        set(contextHeader, workspace.address("arena", program.buffers[0].bytes));
        const copy = copyInputs();
        const moved = changed;
        if (changed) {
          device.upload(block, new Uint8Array(table.buffer));
          changed = false;
        }
        copy();
        if (emission.count === 0) return;
        if (checks) return launchChecked();
        if (isProfiling()) return launchProfiled();
        if (moved && fixed) {
          graph?.destroy();
          graph = undefined;
        }
        // The first run loads the kernels, which a recording may not do, and a graph for one run would not pay.
        if (runs++ === 0 || (moved && fixed) || emission.count > longestGraph || lengthAt) return launchAll();
        graph ??= driver.capture((record) => emission.each((l) => record(l.waits, () => queue(l))));
        graph.launch();
      },
      dispose() {
        graph?.destroy();
        block.release();
      },
    };
  };
  return { device, bind };
}
