import type { Outcome, Progress } from "./train.ts";

/** 12345 as "12 345". */
export const grouped = (n: number): string =>
  Math.round(n)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, " ");

/** Three digits, whatever the size. */
export const short = (x: number): string => (x >= 100 ? grouped(x) : x.toPrecision(3));

export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Whole seconds, or minutes above two of them. */
export const time = (seconds: number): string =>
  seconds > 120 ? `${Math.round(seconds / 60)} min` : `${Math.ceil(seconds)} s`;

export const last = (p: Progress): number => p.losses[p.losses.length - 1];

/** Progress as one line, for files and pipes. */
export function progressLine(p: Progress): string {
  const width = grouped(p.steps).length;
  const cells = [
    `step ${grouped(p.step).padStart(width)} of ${grouped(p.steps)}`,
    `loss ${last(p).toFixed(4)}`,
    `accuracy ${percent(p.accuracy).padStart(7)}`,
    `${grouped(p.rate)} steps/s`,
    `${time(p.left)} left`,
  ];
  return cells.join("   ");
}

/** What was learned, how fast, and what to try next. */
export function summary(
  { progress: p, computing, elapsed }: Outcome,
  batch: number,
  unseen: number,
  backend: string,
): string {
  const waited =
    elapsed - computing > 1 ? ` The updates took ${short(computing)} s of it; --fast does not wait.` : "";
  const other =
    backend === "wasm"
      ? ["npm start -- --backend native", "the same run in native code"]
      : ["REINS_BACKEND=wasm npm start", "the same run in WebAssembly"];
  const next = [
    other,
    ["npm start -- --hidden 16,16 --seed 2", "a smaller network, another run"],
    ["npm start -- --help", "all options"],
    ["docs/tensor.md, docs/nn.md", "how to write your own"],
  ];
  return [
    `Done in ${short(elapsed)} s.${waited}`,
    `${grouped(p.steps)} updates on ${grouped(p.steps * batch)} points brought the loss from ${short(p.losses[0])} to ${short(last(p))}.`,
    `The network tells ${percent(p.accuracy)} of ${grouped(unseen)} points apart that it never saw.`,
    "",
    "Try next:",
    ...next.map(([command, what]) => `  ${command.padEnd(38)}${what}`),
  ].join("\n");
}
