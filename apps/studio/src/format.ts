/** Numbers and times as text. */

const compactForm = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** 12.3K */
export const compact = (x: number): string => compactForm.format(x);

const exactForm = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 6 });

/** Compact with all digits, for evenly spaced ticks: 1.25M. */
export const exact = (x: number): string => exactForm.format(x);

/** Four significant digits. */
export function short(x: number | null | undefined): string {
  if (x === null || x === undefined) return "–";
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "NaN" : x > 0 ? "∞" : "−∞";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e6 || size < 1e-3) return x.toExponential(2).replace("-", "−").replace("e+", "e");
  const text = size >= 1000 ? x.toFixed(0) : x.toPrecision(4).replace(/\.?0+$/, "");
  return text.replace("-", "−");
}

/** 1 h 20 min */
export function duration(seconds: number | null): string {
  if (seconds === null || !Number.isFinite(seconds)) return "–";
  if (seconds < 10) return `${Number(seconds.toFixed(seconds < 1 ? 2 : 1))} s`;
  // Rounded before it is split, so that 119.7 s is 2 min and not 1 min 60 s.
  const [s, min, h] = [1, 60, 3600].map((unit) => Math.round(seconds / unit));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  if (min < 1440) return `${Math.floor(min / 60)} h ${min % 60} min`;
  return `${Math.floor(h / 24)} d ${h % 24} h`;
}

/** A remaining time, rounded to one unit. */
export function left(seconds: number): string {
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  if (seconds < 3570) return `${Math.round(seconds / 60)} min`;
  const [unit, size] = seconds < 86_000 ? ["h", 3600] : ["d", 86_400];
  return `${Number((seconds / Number(size)).toFixed(1))} ${unit}`;
}

/** The time since a date, or the date if it is over a month ago. */
export function ago(when: string): string {
  const seconds = (Date.now() - Date.parse(when)) / 1000;
  if (!Number.isFinite(seconds)) return "";
  if (seconds < -60)
    return new Date(when).toLocaleDateString("en", { year: "numeric", month: "short", day: "numeric" });
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  if (seconds < 30 * 86_400) return `${Math.floor(seconds / 86_400)} d ago`;
  return new Date(when).toLocaleDateString("en", { year: "numeric", month: "short", day: "numeric" });
}

/** 12.3 kB */
export function bytes(n: number): string {
  for (const [unit, size] of [
    ["GB", 1e9],
    ["MB", 1e6],
    ["kB", 1e3],
  ] as const)
    if (n >= size) return `${(n / size).toFixed(1)} ${unit}`;
  return `${n} B`;
}
