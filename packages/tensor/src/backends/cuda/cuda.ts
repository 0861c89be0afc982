import type { Device } from "../../device.ts";
import type { Compiler, Executable, Program } from "../../kernel/program.ts";
import { cachedImage, prebuiltImage } from "./cubins.ts";
import { type Driver, type Module, openDriver } from "./driver.ts";
import { emitProgram } from "./launches.ts";
import { libraryText } from "./library.ts";
import { DeviceMemory } from "./memory.ts";
import { openNvrtc } from "./nvrtc.ts";
import { exactFlags } from "./prelude.ts";
import { DeviceWorkspace, deviceProgram } from "./program.ts";

/** What turns CUDA text into an image that the driver loads. */
export interface ImageCompiler {
  readonly version: string;
  compile(text: string, architecture: string): Uint8Array;
}

/** Compiles programs for an NVIDIA GPU. Throws, with the reason, if the driver, NVRTC or a GPU is missing. */
export function cudaCompiler(driver: Driver = openDriver(), images: ImageCompiler = openNvrtc()): Compiler {
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
    const settings = [images.version, exactFlags, architecture, driver.version];
    return driver.load(cachedImage(text, settings, () => images.compile(text, architecture)));
  };
  const library = load(libraryText());
  const compile = (program: Program): Executable => {
    const emission = emitProgram(program);
    const module = load(emission.text);
    return {
      backend: "cuda",
      source: emission.text,
      onDevice: deviceProgram({ driver, device, workspace, library }, program, emission, module),
    };
  };
  return {
    name: "cuda",
    // Rows are computed by separate groups.
    sumsTogether: 0,
    compile,
    compileAsync: async (program) => compile(program),
  };
}

function cudaDevice(driver: Driver): Device {
  const memory = new DeviceMemory(driver);
  return {
    name: "cuda",
    allocate: (bytes) => memory.allocate(bytes),
    upload: (to, from) => driver.upload(to.address, from),
    download: (from, to) => driver.download(from.address, to),
    read: async (from, bytes) => {
      const to = new Uint8Array(bytes);
      driver.download(from.address, to);
      return to;
    },
    synchronise: () => driver.synchronise(),
  };
}
