import { mul } from "@reins/tensor";
import type { Term } from "../loss.ts";
import { type Adjustable, over } from "../signals/live.ts";

/** A term times a weight. */
export function weighted(weight: Adjustable, term: Term): Term {
  return { ...term, value: (m) => mul(term.value(m), over(weight, m.columns)) };
}

/** A term times a negative weight, to maximise it. */
export function minus(weight: Adjustable, term: Term): Term {
  return { ...term, value: (m) => mul(term.value(m), mul(over(weight, m.columns), -1)) };
}
