/** What is measured: the time that passes, or the processor's time of this process, which other work on the machine lengthens less. */
export const clocks = ["wall", "processor"] as const;

/** One of them. */
export type ClockName = (typeof clocks)[number];

let chosen: ClockName = "wall";

/** Chooses it for all that is measured from now on. */
export function setClock(name: ClockName): void {
  chosen = name;
}

/** Milliseconds. */
export function now(): number {
  if (chosen === "wall") return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}
