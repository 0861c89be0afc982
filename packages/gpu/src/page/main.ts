import { setBackend } from "@reins/tensor";
import { Gpu } from "../../../tensor/dist/backends/webgpu/gpu.js";
import { enableWebGPU } from "../../../tensor/dist/backends/webgpu/webgpu.js";
import { faults, newDevice, regions } from "./faults.ts";
import { kernels } from "./kernels.ts";
import { primitives, somePrimitives, torch } from "./operations.ts";
import { graphs, programs } from "./programs.ts";
import { collect, countSubmissions, type Section } from "./section.ts";
import { sizes } from "./sizes.ts";
import { training } from "./training.ts";

const sections: { readonly [name: string]: Section } = {
  primitives,
  somePrimitives,
  torch,
  graphs,
  programs,
  training,
  regions,
  sizes,
  kernels: kernels(async () => new Gpu(await newDevice())),
  faults,
};

/** Runs the sections that the page's address names, `?graphs=20&torch=500`, and resolves to what they found as JSON. */
export async function runSections(query: string): Promise<string> {
  if (!(await enableWebGPU())) return "no adapter";
  countSubmissions();
  // Whatever names no back end runs on the CPU.
  setBackend("wasm");
  const found: Record<string, unknown> = {};
  for (const [name, count] of new URLSearchParams(query)) {
    console.log(`section ${name}`);
    found[name] = await collect(sections[name], Number(count));
  }
  return JSON.stringify(found);
}
