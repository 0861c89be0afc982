import { short } from "../format.ts";

/** An axis; `at` maps values to shares from 0 to 1. */
export interface Scale {
  readonly at: (x: number) => number;
  readonly ticks: readonly number[];
}

/** A scale over some numbers, with round ticks. `isLog` applies only if all are positive. */
export function scaleOf(numbers: readonly number[], isLog = false): Scale {
  const known = numbers.filter(Number.isFinite);
  const log = isLog && known.length > 0 && known.every((x) => x > 0);
  const [to, from] = log ? [Math.log, Math.exp] : [same, same];
  let [low, high] = known.length ? [to(Math.min(...known)), to(Math.max(...known))] : [0, 1];
  const room = high > low ? (high - low) * 0.06 : Math.abs(high) * 0.1 || 1;
  [low, high] = [low - room, high + room];
  return {
    at: (x) => (to(x) - low) / (high - low),
    ticks: ticksBetween(from(low), from(high), log && high - low > 1.5),
  };
}

const same = (x: number) => x;

/** About four round ticks; 1, 2 and 5 times powers of ten on a logarithmic scale. */
function ticksBetween(low: number, high: number, isLog: boolean): number[] {
  if (isLog) {
    const found: number[] = [];
    for (let e = Math.floor(Math.log10(low)); 10 ** e <= high; e++)
      for (const m of [1, 2, 5]) if (m * 10 ** e >= low && m * 10 ** e <= high) found.push(m * 10 ** e);
    const every = Math.ceil(found.length / 5);
    return found.filter((_, i) => i % every === 0);
  }
  const rough = (high - low) / 4;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * ([1, 2, 5, 10].find((m) => m * unit >= rough) ?? 10);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
}

/** The shortest text of a tick. */
export const tickText = (x: number): string => short(x).replace(/\.?0+e/, "e");
