/** `reins/tensor/webgpu`: compiled functions on the GPU of a browser. */
export * from "@reins/tensor/webgpu";
