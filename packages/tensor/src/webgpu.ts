/** `@reins/tensor/webgpu`: compiled functions on the GPU of a browser. Apart, so that pages without it do not load it. */
export { WebGpuError } from "./backends/webgpu/errors.ts";
export { enableWebGPU, type WebGpuOptions } from "./backends/webgpu/webgpu.ts";
