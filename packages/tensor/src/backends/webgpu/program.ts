import type { DeviceBinding, DeviceBlock, DeviceProgram } from "../../device.ts";
import { contextHeader, type Program } from "../../kernel/program.ts";
import { bufferUsage } from "./flags.ts";
import type { Gpu } from "./gpu.ts";
import type { Dispatch, Emission } from "./launches.ts";
import { Block } from "./memory.ts";

/** Dispatches of one submission: browsers end those that run for seconds. */
const together = 1000;

/** Memory for the intermediates and the scratch of a run, shared by all programs: the queue runs them one after the other. */
export class GpuWorkspace {
  private readonly gpu: Gpu;
  private readonly blocks = new Map<"arena" | "scratch", Block>();

  constructor(gpu: Gpu) {
    this.gpu = gpu;
  }

  /** At least `bytes` bytes. It moves when a larger program needs more. */
  block(kind: "arena" | "scratch", bytes: number): Block {
    const known = this.blocks.get(kind);
    if (known && known.bytes >= bytes) return known;
    known?.release();
    this.blocks.delete(kind);
    const block = this.gpu.allocate(Math.max(bytes, 4));
    this.blocks.set(kind, block);
    return block;
  }
}

/** The bindings of a dispatch if all its buffers lie in one region, as they usually do. */
export const oneRegion = (d: Dispatch): number[] => d.buffers.map(() => 0);

/** A program as dispatches. Each binding has a table of addresses on the GPU. */
export function gpuProgram(
  gpu: Gpu,
  workspace: GpuWorkspace,
  program: Program,
  emission: Emission,
): DeviceProgram {
  let words: GPUBuffer | undefined;
  /** The arguments of all dispatches, which all bindings share. */
  const wordsOf = (): GPUBuffer => {
    if (!words) {
      const { device } = gpu;
      words = device.createBuffer({
        size: emission.words.byteLength,
        usage: bufferUsage.uniform | bufferUsage.copyTarget,
      });
      device.queue.writeBuffer(words, 0, emission.words);
    }
    return words;
  };
  return { device: gpu, bind: () => new GpuBinding(gpu, workspace, program, emission, wordsOf) };
}

/** A dispatch with everything that queueing it needs. */
interface Ready {
  readonly pipeline: GPUComputePipeline;
  readonly group: GPUBindGroup;
  readonly dispatch: Dispatch;
}

class GpuBinding implements DeviceBinding {
  private readonly gpu: Gpu;
  private readonly workspace: GpuWorkspace;
  private readonly program: Program;
  private readonly emission: Emission;
  private readonly words: () => GPUBuffer;
  private readonly table: GPUBuffer;
  private readonly addresses: Uint32Array<ArrayBuffer>;
  /** The block that each word of the table refers to. */
  private readonly blocks: Block[] = [];
  private changed = true;
  /** The dispatches, until a block comes to lie in another region. */
  private ready: Ready[] | undefined;
  private readonly offsets: Uint32Array;

  constructor(
    gpu: Gpu,
    workspace: GpuWorkspace,
    program: Program,
    emission: Emission,
    words: () => GPUBuffer,
  ) {
    this.gpu = gpu;
    this.workspace = workspace;
    this.program = program;
    this.emission = emission;
    this.words = words;
    gpu.check();
    this.addresses = new Uint32Array(emission.tableWords);
    this.table = gpu.device.createBuffer({
      size: Math.max(16, emission.tableWords * 4),
      usage: bufferUsage.storage | bufferUsage.copyTarget,
    });
    this.offsets = Uint32Array.from(emission.dispatches, (d) => d.start * 4);
  }

  point(buffer: number, block: DeviceBlock): void {
    this.set(contextHeader + buffer, block);
  }

  private set(word: number, block: DeviceBlock): void {
    if (!(block instanceof Block))
      throw new Error("internal: a block of another device was given to WebGPU.");
    const old = this.blocks[word];
    if (old === block) return;
    this.blocks[word] = block;
    if (old?.region !== block.region) this.ready = undefined;
    this.addresses[word] = block.offset;
    this.changed = true;
  }

  run(): void {
    const { gpu, workspace, emission, offsets, table } = this;
    gpu.check();
    const { dispatches } = emission;
    if (dispatches.length === 0) return;
    this.set(0, workspace.block("scratch", emission.scratchBytes));
    this.set(contextHeader, workspace.block("arena", this.program.buffers[0].bytes));
    const { device } = gpu;
    if (this.changed) {
      device.queue.writeBuffer(table, 0, this.addresses);
      this.changed = false;
    }
    this.ready ??= this.prepare();
    const { ready } = this;
    for (let from = 0; from < ready.length; from += together) {
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      const end = Math.min(ready.length, from + together);
      let pipeline: GPUComputePipeline | undefined;
      for (let i = from; i < end; i++) {
        const r = ready[i];
        if (r.pipeline !== pipeline) pass.setPipeline((pipeline = r.pipeline));
        pass.setBindGroup(0, r.group, offsets, i, 1);
        const { grid } = r.dispatch;
        pass.dispatchWorkgroups(grid[0], grid[1], grid[2]);
      }
      pass.end();
      device.queue.submit([encoder.finish()]);
    }
  }

  private prepare(): Ready[] {
    const { gpu, blocks, emission } = this;
    const groups = new Map<string, GPUBindGroup>();
    const groupOf = (numbers: readonly number[], writesTable: boolean): GPUBindGroup => {
      const key = `${numbers.join()} ${writesTable}`;
      let group = groups.get(key);
      if (!group) {
        const buffers = numbers.map((n) => blocks.find((b) => b?.region.number === n)!.region.buffer);
        group = gpu.device.createBindGroup({
          layout: gpu.pipelines.layout(numbers.length, writesTable),
          entries: [
            { binding: 0, resource: { buffer: this.words(), size: emission.window * 4 } },
            { binding: 1, resource: { buffer: this.table } },
            ...buffers.map((buffer, i) => ({ binding: i + 2, resource: { buffer } })),
          ],
        });
        groups.set(key, group);
      }
      return group;
    };
    return emission.dispatches.map((dispatch): Ready => {
      const { code, buffers } = dispatch;
      const numbers = buffers.map((b) => blocks[b].region.number);
      const distinct = [...new Set(numbers)];
      const pipeline = gpu.pipelines.get(
        code,
        numbers.map((n) => distinct.indexOf(n)),
      );
      return { pipeline, group: groupOf(distinct, code.writesTable), dispatch };
    });
  }

  dispose(): void {
    this.table.destroy();
  }
}
