import type { Device, DeviceBlock } from "../../device.ts";
import type { Compiler, Executable, Program } from "../../kernel/program.ts";
import { countDevice } from "../../memory-use.ts";
import { measured } from "../../profile.ts";
import { costOf } from "./cost.ts";
import { cachedImage, prebuiltImage } from "./cubins.ts";
import { type Cublas, cublasWorkspace, openCublas } from "./cublas.ts";
import { type Driver, type Module, openDriver } from "./driver.ts";
import { emitProgram } from "./launches.ts";
import { libraryText } from "./library.ts";
import { DeviceMemory } from "./memory.ts";
import { openNvrtc } from "./nvrtc.ts";
import { flagsOf } from "./prelude.ts";
import { DeviceWorkspace, deviceProgram } from "./program.ts";

/** What turns CUDA text into an image that the driver loads. */
export interface ImageCompiler {
  readonly version: string;
  compile(text: string, architecture: string): Uint8Array;
}

/** Compiles programs for an NVIDIA GPU, given by its driver or its number. Throws, with the reason, if the driver, NVRTC or a GPU is missing. */
export function cudaCompiler(gpu: Driver | number = 0, given?: ImageCompiler): Compiler {
  const driver = typeof gpu === "number" ? openDriver(gpu) : gpu;
  const images = given ?? openNvrtc();
  const { architecture } = driver;
  const device = cudaDevice(driver);
  const workspace = new DeviceWorkspace(device);
  const load = (text: string): Module => {
    const prebuilt = prebuiltImage(text, architecture);
    try {
      if (prebuilt) return driver.load(prebuilt);
    } catch {
      // Made for another driver: compiled here instead.
    }
    const settings = [images.version, flagsOf(text), architecture, driver.version];
    return driver.load(cachedImage(text, settings, () => images.compile(text, architecture)));
  };
  const library = load(libraryText());
  const cublas = lazyCublas(driver, device);
  const compile = (program: Program): Executable => {
    const emission = emitProgram(program);
    const module = load(emission.text);
    return {
      backend: "cuda",
      source: emission.text,
      onDevice: deviceProgram({ driver, device, workspace, library, cublas }, program, emission, module),
    };
  };
  return {
    name: "cuda",
    schedule: "grid",
    cost: costOf(driver),
    halves: true,
    compile,
    compileAsync: async (program) => compile(program),
  };
}

/** cuBLAS, started by the first product of bf16 operands. A message says so if it is missing. */
function lazyCublas(driver: Driver, device: Device): () => Cublas | undefined {
  let found: Cublas | undefined;
  /** Kept for as long as cuBLAS may use it. */
  let memory: DeviceBlock | undefined;
  let asked = process.env.REINS_CUBLAS === "off" || driver.emulated;
  return () => {
    if (asked) return memory && found;
    asked = true;
    memory = device.allocate(cublasWorkspace);
    const opened = openCublas(driver.stream, memory.address);
    if (!("reason" in opened)) found = opened;
    else
      console.error(
        `reins: products in bf16 run without cuBLAS, up to ten times slower: ${opened.reason}. Install the CUDA toolkit, or name libcublas.so in REINS_CUBLAS.`,
      );
    return found;
  };
}

function cudaDevice(driver: Driver): Device {
  const memory = new DeviceMemory(driver);
  countDevice(() => {
    const { used, kept } = memory;
    return { name: driver.deviceName, used, kept, ...driver.memory() };
  });
  return {
    name: "cuda",
    allocate: (bytes) => memory.allocate(bytes),
    upload: (to, from) =>
      measured("copy", "to the GPU", () => driver.upload(to.address, from), from.byteLength),
    download: (from, to) =>
      measured("copy", "from the GPU", () => driver.download(from.address, to), to.byteLength),
    read: async (from, bytes) => {
      const to = new Uint8Array(bytes);
      driver.download(from.address, to);
      return to;
    },
    synchronise: () => driver.synchronise(),
  };
}
