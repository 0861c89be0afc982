import type { Code } from "./code.ts";
import { WebGpuError } from "./errors.ts";
import { computeStage } from "./flags.ts";

/** Compilers of some GPUs assume that no number is NaN, unless a module asks for strict arithmetic. */
type StrictModule = GPUShaderModuleDescriptor & { readonly strictMath?: boolean };

/** Pipelines by their text, and the layouts that they share. */
export class Pipelines {
  private readonly device: GPUDevice;
  /** Reports an error that the device finds later. */
  private readonly failed: (error: Error) => void;
  private readonly made = new Map<string, GPUComputePipeline>();
  private readonly layouts = new Map<string, GPUBindGroupLayout>();
  /** Resolves when all modules compiled so far have been checked. */
  checked: Promise<unknown> = Promise.resolve();

  constructor(device: GPUDevice, failed: (error: Error) => void) {
    this.device = device;
    this.failed = failed;
  }

  /** The layout of a dispatch on `regions` regions: arguments, the table of addresses, then the regions. */
  layout(regions: number, writesTable: boolean): GPUBindGroupLayout {
    const key = `${regions} ${writesTable}`;
    let layout = this.layouts.get(key);
    if (!layout) {
      const entry = (binding: number, buffer: GPUBufferBindingLayout): GPUBindGroupLayoutEntry => ({
        binding,
        visibility: computeStage,
        buffer,
      });
      layout = this.device.createBindGroupLayout({
        entries: [
          entry(0, { type: "uniform", hasDynamicOffset: true }),
          entry(1, { type: writesTable ? "storage" : "read-only-storage" }),
          ...Array.from({ length: regions }, (_, i) => entry(i + 2, { type: "storage" })),
        ],
      });
      this.layouts.set(key, layout);
    }
    return layout;
  }

  /** The pipeline of a code, compiled now if it is new. Errors in it are reported later. */
  get(code: Code, slots: readonly number[]): GPUComputePipeline {
    const text = code.text(slots);
    let pipeline = this.made.get(text);
    if (!pipeline) {
      const { device } = this;
      device.pushErrorScope("validation");
      pipeline = device.createComputePipeline(this.descriptor(code, slots, text));
      this.made.set(text, pipeline);
      const check = device.popErrorScope().then((error) => {
        if (error) this.failed(refused(code, error.message));
      });
      this.checked = Promise.all([this.checked, check.catch(() => {})]);
    }
    return pipeline;
  }

  /** Like `get`, without blocking the thread while the driver compiles. */
  async prepare(code: Code, slots: readonly number[]): Promise<void> {
    const text = code.text(slots);
    if (this.made.has(text)) return;
    const { device } = this;
    device.pushErrorScope("validation");
    const descriptor = this.descriptor(code, slots, text);
    const cause = device.popErrorScope();
    try {
      this.made.set(text, await device.createComputePipelineAsync(descriptor));
    } catch (error) {
      throw refused(code, ((await cause) ?? (error as Error)).message);
    }
  }

  private descriptor(code: Code, slots: readonly number[], text: string): GPUComputePipelineDescriptor {
    const { device } = this;
    const module: StrictModule = { label: code.label, code: text, strictMath: true };
    const layout = this.layout(Math.max(...slots) + 1, code.writesTable);
    return {
      label: code.label,
      layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
      compute: { module: device.createShaderModule(module), entryPoint: "main" },
    };
  }
}

const refused = (code: Code, message: string) =>
  new WebGpuError(
    `The GPU's driver cannot compile the kernel "${code.label}": ${message} Use setBackend("wasm"), and report the kernel.`,
  );
