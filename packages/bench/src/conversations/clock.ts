/** Wall time, or CPU time of this process, which other processes affect less. */
export const clocks = ["wall", "processor"] as const;

/** Name of a clock. */
export type ClockName = (typeof clocks)[number];

let chosen: ClockName = "wall";

/** Selects the clock. */
export function setClock(name: ClockName): void {
  chosen = name;
}

/** The current time in milliseconds. */
export function now(): number {
  if (chosen === "wall") return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}
