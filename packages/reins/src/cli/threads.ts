import { didYouMean } from "@reins/core/errors";
import { usageError } from "./usage.ts";

const backends = ["native", "wasm", "cuda", "reference", "auto"];

/**
 * Sets the number of threads and the device before anything is compiled: the flags, else REINS_THREADS and REINS_DEVICE, else one thread
 * of the CPU, and a GPU for large functions. Small networks gain nothing from more threads, and on a busy machine they wait for each other.
 */
export function useThreads(threads: number | undefined, device?: string): void {
  const { REINS_BACKEND: backend } = process.env;
  if (backend && !backends.includes(backend))
    usageError(
      `unknown REINS_BACKEND ${backend}.${didYouMean(backend, backends)} Use one of ${backends.join(", ")}.`,
    );
  if (device !== undefined) {
    if (!/^(cpu|cuda(:\d+)?)$/.test(device))
      usageError(`unknown device ${device}. Use cpu, cuda or cuda:N, where N is the number of a GPU.`);
    process.env.REINS_DEVICE = device;
    if (device !== "cpu") delete process.env.REINS_BACKEND;
  }
  if (threads !== undefined) process.env.REINS_THREADS = String(threads);
  else process.env.REINS_THREADS ||= "1";
  // Commands print the back end themselves.
  process.env.REINS_QUIET ||= "1";
}
