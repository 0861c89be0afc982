import type { CostModel } from "../../kernel/cost.ts";
import type { Compiler, Executable, Program } from "../../kernel/program.ts";
import { provideBackend, setBackend } from "../choose.ts";
import { Gpu } from "./gpu.ts";
import { type Emission, emitProgram } from "./launches.ts";
import { GpuWorkspace, gpuProgram, oneRegion } from "./program.ts";

/** A small GPU of a laptop: WebGPU does not say which one it is. */
const cost: CostModel = {
  step: 2e-5,
  operations: 5e10,
  products: 2e11,
  bytes: 3e10,
  copied: 2e9,
  // Rows are computed by separate groups.
  sumsTogether: 0,
};

/** How `enableWebGPU` chooses a GPU. */
export interface WebGpuOptions {
  /** The entry point of WebGPU; `navigator.gpu` if absent. Outside of browsers, an implementation such as Dawn's provides it. */
  readonly gpu?: GPU;
  /** Which GPU to use, if there are several. Default: the faster one. */
  readonly powerPreference?: GPUPowerPreference;
}

/**
 * Runs compiled functions on the GPU of the browser from now on. Resolves to false, with the reason in the console, if there is none; then
 * functions run as before. Values are read with `await tensor.read()`.
 */
export async function enableWebGPU(options: WebGpuOptions = {}): Promise<boolean> {
  const opened = await open(options);
  if (typeof opened === "string") {
    console.warn(`reins: functions run on the CPU instead of WebGPU: ${opened}`);
    return false;
  }
  provideBackend({ name: "webgpu", threads: 1, compiler: webGpuCompiler(new Gpu(opened)) });
  setBackend("webgpu");
  return true;
}

/** A device with the adapter's limits, or the reason why there is none. */
async function open({
  gpu,
  powerPreference = "high-performance",
}: WebGpuOptions): Promise<GPUDevice | string> {
  const { navigator } = globalThis as { navigator?: { gpu?: GPU } };
  const entry = gpu ?? navigator?.gpu;
  if (!entry)
    return "WebGPU is not available here. Use a recent browser and open the page from localhost or over HTTPS.";
  try {
    const adapter = await entry.requestAdapter({ powerPreference });
    if (!adapter) return "the browser has no adapter for this GPU. chrome://gpu says why.";
    const { limits } = adapter;
    return await adapter.requestDevice({
      requiredLimits: {
        maxBufferSize: limits.maxBufferSize,
        maxStorageBufferBindingSize: limits.maxStorageBufferBindingSize,
        maxStorageBuffersPerShaderStage: limits.maxStorageBuffersPerShaderStage,
        maxComputeWorkgroupStorageSize: limits.maxComputeWorkgroupStorageSize,
      },
    });
  } catch (error) {
    return (error as Error).message;
  }
}

/** Compiles programs for a GPU of the browser. */
export function webGpuCompiler(gpu: Gpu): Compiler {
  const workspace = new GpuWorkspace(gpu);
  const { maxComputeWorkgroupStorageSize, minUniformBufferOffsetAlignment } = gpu.device.limits;
  const limits = {
    workgroupBytes: maxComputeWorkgroupStorageSize,
    alignment: minUniformBufferOffsetAlignment / 4,
  };
  const executable = (program: Program, emission: Emission): Executable => ({
    backend: "webgpu",
    get source() {
      return textOf(emission);
    },
    onDevice: gpuProgram(gpu, workspace, program, emission),
  });
  return {
    name: "webgpu",
    schedule: "grid",
    cost,
    compile(program) {
      gpu.check();
      const emission = emitProgram(program, limits);
      for (const d of kindsOf(emission)) gpu.pipelines.get(d.code, oneRegion(d));
      return executable(program, emission);
    },
    async compileAsync(program) {
      gpu.check();
      const emission = emitProgram(program, limits);
      await Promise.all(kindsOf(emission).map((d) => gpu.pipelines.prepare(d.code, oneRegion(d))));
      return executable(program, emission);
    },
  };
}

/** One dispatch of each code. */
const kindsOf = ({ dispatches }: Emission) => [...new Map(dispatches.map((d) => [d.code, d])).values()];

/** The text of all kernels. */
const textOf = (emission: Emission): string =>
  kindsOf(emission)
    .map((d) => `// ${d.code.label}\n${d.code.text(oneRegion(d))}`)
    .join("\n");
