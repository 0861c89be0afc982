import type { Metrics } from "../algorithm.ts";
import type { JsonText } from "./text.ts";

/** Writes a line of metrics, `{"step":1024,"return/mean":21.5}`. NaN and infinities, which JSON lacks, are null. */
export function writeRow(text: JsonText, step: number, metrics: Readonly<Metrics>): void {
  text.clear().raw('{"step":').finite(step);
  for (const name in metrics) {
    if (name === "step") continue;
    const x = metrics[name];
    text.raw(",").name(name);
    if (Number.isFinite(x)) text.finite(x);
    else text.raw("null");
  }
  text.raw("}\n");
}
