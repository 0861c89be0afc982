import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { provideBackend } from "../../tensor/dist/backends/choose.js";
import { prebuiltName } from "../../tensor/dist/backends/cuda/cubins.js";
import { cudaCompiler } from "../../tensor/dist/backends/cuda/cuda.js";
import { libraryText } from "../../tensor/dist/backends/cuda/library.js";
import { openNvrtc } from "../../tensor/dist/backends/cuda/nvrtc.js";
import { emulatedGpu, emulatedImages } from "../../tensor/dist/backends/cuda/testing/emulator.js";

// The same program on a GPU that the CPU emulates. All its files must share one copy of the compiler, as in a bundle of the sources. With
// PREBUILD=folder it also compiles every text for an H200, so that the GPU need not wait for NVRTC (REINS_CUDA_PREBUILT).
const folder = process.env.PREBUILD;
const architecture = "sm_90";
const emulated = cudaCompiler(emulatedGpu(), emulatedImages);
const nvrtc = folder ? openNvrtc() : undefined;

function keep(text: string): void {
  if (!folder || !nvrtc) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, prebuiltName(text, architecture)), nvrtc.compile(text, architecture));
}

keep(libraryText());
provideBackend({
  name: "cuda",
  threads: 1,
  compiler: {
    ...emulated,
    compile(program) {
      const executable = emulated.compile(program);
      keep(executable.source);
      return executable;
    },
  },
});
await import("./main.ts");
