import type { Bounds, Estimate } from "@reins/core";

/** 12345 as "12 345". */
export const grouped = (n: number): string =>
  Math.round(n)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, " ");

/** A number in a few characters: 12 345, 475.2, 0.0123, 1.2e-5. */
export function short(x: number): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "–" : x > 0 ? "∞" : "-∞";
  const size = Math.abs(x);
  if (size >= 1e7) return x.toExponential(2).replace("e+", "e");
  if (size >= 1000) return grouped(x);
  if (size >= 100 || Number.isInteger(x)) return String(Number(x.toFixed(1)));
  if (size >= 1e-3) return String(Number(x.toPrecision(3)));
  return x.toExponential(1);
}

/** A count in a few characters: 950, 12k, 1.5M. */
export function compact(n: number): string {
  const [unit, name] = n >= 1e9 ? [1e9, "G"] : n >= 1e6 ? [1e6, "M"] : n >= 1e3 ? [1e3, "k"] : [1, ""];
  return `${Number((n / unit).toPrecision(3))}${name}`;
}

/** A duration in its two largest units. */
export function time(seconds: number): string {
  if (!Number.isFinite(seconds)) return "–";
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 120) return `${whole} s`;
  if (whole < 7200) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** Time since a moment. */
export function ago(from: number, now = Date.now()): string {
  const seconds = Math.max(0, (now - from) / 1000);
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}

/** A confidence interval: `95% CI [471.2, 500]`. */
export const intervalText = (interval: Bounds, number = short): string =>
  `95% CI [${interval.map(number).join(", ")}]`;

/** A standard deviation: `sd 12.3`. A value below the rounding error of the mean is 0. */
export const spreadText = (mean: number, std: number): string =>
  `sd ${short(std < 1e-9 * Math.abs(mean) ? 0 : std)}`;

/**
 * A mean with its 95% confidence interval, if known, and standard deviation: `475.2 (95% CI [471.2, 479.2], sd 20.1)`.
 * A single sample has neither.
 */
export function estimateText({
  mean,
  std,
  count,
  interval,
}: Pick<Estimate, "mean" | "std"> & Partial<Estimate>): string {
  if (Number.isNaN(mean) || count === 1) return short(mean);
  const known = interval && Number.isFinite(interval[1] - interval[0]);
  return `${short(mean)} (${[...(known ? [intervalText(interval)] : []), spreadText(mean, std)].join(", ")})`;
}

/** A share with its 95% confidence interval: `93% (95% CI [86%, 97%])`. */
export function rateText(rate: number, interval: Bounds): string {
  const percent = (share: number) => `${short(Number((100 * share).toPrecision(3)))}%`;
  return `${percent(rate)} (${intervalText(interval, percent)})`;
}

/** Breaks a text into lines of at most `width` characters, at spaces. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return line ? [...lines, line] : lines;
}

/** "1 seed", "5 seeds". */
export const counted = (n: number, what: string): string => `${grouped(n)} ${what}${n === 1 ? "" : "s"}`;

/** Unit of the steps of a run: tokens on language tasks. */
export const unitOf = ({ stage }: { readonly stage?: unknown }): "tokens" | "steps" =>
  stage === undefined ? "steps" : "tokens";

/** A warning that an interval is too narrow, because many of the problems were repeated. */
export const distinctLine = ({ distinct }: { readonly distinct?: number }, problems: number): string[] =>
  distinct && distinct < 0.9 * problems
    ? [
        `Only ${grouped(distinct)} of these held-out problems ${distinct === 1 ? "is" : "are"} distinct: the interval counts repetitions as independent and is too narrow.`,
      ]
    : [];

/** A warning about evaluation episodes that were stopped. */
export const unfinishedLine = ({ unfinished }: { readonly unfinished?: number }): string[] =>
  unfinished
    ? [
        `${counted(unfinished, "evaluation episode")} did not end within 10 000 steps and ${unfinished === 1 ? "was" : "were"} stopped there. Set maxSteps in the environment's spec.`,
      ]
    : [];
