/** A failure of the GPU, its driver or its libraries. The message says what to do. */
export class CudaError extends Error {
  override readonly name = "CudaError";
  /** The driver's code, if it gave one. */
  readonly code: number | undefined;

  constructor(message: string, code?: number) {
    super(message);
    this.code = code;
  }
}

/** What the driver's codes mean for a user. */
const advice: Readonly<Record<number, string>> = {
  3: "The process is ending or has forked after the GPU was used. Use the GPU in one process.",
  46: "The GPU is in exclusive mode and used by another process.",
  100: "No GPU is visible. Check `nvidia-smi` and CUDA_VISIBLE_DEVICES.",
  101: "There is no GPU with this number. Check `nvidia-smi` and CUDA_VISIBLE_DEVICES.",
  209: "The kernel was compiled for another GPU. Remove the folder that REINS_CACHE names, or ~/.cache/reins.",
  218: "The driver is older than NVRTC. Update the NVIDIA driver, or install the NVRTC of the driver's CUDA version.",
  222: "The driver is older than NVRTC. Update the NVIDIA driver, or install the NVRTC of the driver's CUDA version.",
  700: "A kernel touched memory that it does not own. This is a bug of Reins: please report it with the output of REINS_CUDA_CHECK=1.",
  802: "The GPU's fabric is not ready. Wait for nvidia-fabricmanager and start again.",
  803: "The driver and its libraries have different versions. Restart the machine after an update of the driver.",
  999: "The GPU may have been lost. Check `nvidia-smi`; resume the run from its last checkpoint.",
};

export function driverError(what: string, code: number, name: string): CudaError {
  const known =
    advice[code] ??
    "The run can be resumed from its last checkpoint; REINS_BACKEND=native continues on the CPU.";
  return new CudaError(`CUDA: ${what} failed with ${name} (${code}). ${known}`, code);
}
