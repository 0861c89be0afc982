/** A failure of the GPU or of the browser's access to it. The message says what to do. */
export class WebGpuError extends Error {
  override readonly name = "WebGpuError";
}

export const lostError = (reason: string, message: string): WebGpuError =>
  new WebGpuError(
    `The GPU was lost (${reason}${message ? `: ${message.trim()}` : ""}), and with it the values that only it had. ` +
      'Call enableWebGPU() again, or setBackend("wasm"), and resume from the last checkpoint.',
  );
