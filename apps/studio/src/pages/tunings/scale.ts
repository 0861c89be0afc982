import type { TuningDimension } from "@reins/studio/wire";
import { short } from "../../format.ts";

type Value = number | string | undefined;

/** The place of a value in its dimension, from 0 to 1; undefined if it is outside. */
export function placeOf(d: TuningDimension, value: Value): number | undefined {
  if ("choices" in d) {
    const at = d.choices.indexOf(String(value));
    return at < 0 ? undefined : (at + 0.5) / d.choices.length;
  }
  if (typeof value !== "number") return undefined;
  const [from, to] = [stretch(d.scale, d.low), stretch(d.scale, d.high)];
  return Math.min(1, Math.max(0, (stretch(d.scale, value) - from) / (to - from)));
}

/** Labels of a dimension: both ends and the middle, or all choices. */
export function labelsOf(d: TuningDimension): { place: number; text: string }[] {
  if ("choices" in d)
    return d.choices.map((text, i) => ({ place: (i + 0.5) / d.choices.length, text: cut(text) }));
  const middle = shrink(d.scale, (stretch(d.scale, d.low) + stretch(d.scale, d.high)) / 2);
  return [d.low, middle, d.high].map((x, i) => ({ place: i / 2, text: short(x) }));
}

const cut = (text: string) => (text.length > 14 ? `${text.slice(0, 13)}…` : text);

const stretch = (scale: "linear" | "log" | "towards-one", x: number) =>
  scale === "linear" ? x : scale === "log" ? Math.log(x) : -Math.log(1 - x);
const shrink = (scale: "linear" | "log" | "towards-one", y: number) =>
  scale === "linear" ? y : scale === "log" ? Math.exp(y) : 1 - Math.exp(-y);
