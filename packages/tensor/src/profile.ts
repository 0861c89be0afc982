/** Time that a kernel took on the GPU, over all its launches. */
export interface KernelTime {
  readonly label: string;
  launches: number;
  milliseconds: number;
}

let times: Map<string, KernelTime> | undefined;

/**
 * Time of each kernel that programs on a device run during `body`, the longest first. Every launch is waited for, so that `body` takes longer
 * than usual. Empty where programs run on the CPU.
 *
 * @experimental
 */
export function profileKernels(body: () => void): KernelTime[] {
  times = new Map();
  try {
    body();
    return [...times.values()].sort((a, b) => b.milliseconds - a.milliseconds);
  } finally {
    times = undefined;
  }
}

export const isProfiling = (): boolean => times !== undefined;

export function recordTime(label: string, milliseconds: number): void {
  const known = times?.get(label) ?? { label, launches: 0, milliseconds: 0 };
  known.launches++;
  known.milliseconds += milliseconds;
  times?.set(label, known);
}
