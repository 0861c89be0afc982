import { meanOf } from "@reins/core/evaluations";
import type { Series } from "./plot.ts";

/** Moving average over the last `window` finite points. */
export function smoothed({ name, x, y }: Series, window: number): Series {
  const known = Array.from({ length: x.length }, (_, k) => k).filter((k) => Number.isFinite(y[k]));
  const mean = (i: number) => {
    const some = known.slice(Math.max(0, i + 1 - window), i + 1);
    return meanOf(some.map((k) => y[k]));
  };
  return { name, x: known.map((k) => x[k]), y: known.map((_, i) => mean(i)) };
}
