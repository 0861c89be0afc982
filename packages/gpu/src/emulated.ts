import { provideBackend } from "../../tensor/dist/backends/choose.js";
import { cudaCompiler } from "../../tensor/dist/backends/cuda/cuda.js";
import { emulatedGpu, emulatedImages } from "../../tensor/dist/backends/cuda/testing/emulator.js";

// The same program on a GPU that the CPU emulates. All its files must share one copy of the compiler, as in a bundle of the sources.
provideBackend({ name: "cuda", threads: 1, compiler: cudaCompiler(emulatedGpu(), emulatedImages) });
await import("./main.ts");
