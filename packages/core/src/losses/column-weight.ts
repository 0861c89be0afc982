import { mul, type Tensor } from "@reins/tensor";
import type { LossTerm } from "../loss.ts";

/** Weights the steps of a term by a column: credit by position, masks, curricula over tokens. */
export function byColumn(column: string, term: LossTerm): LossTerm {
  return { ...term, value: (m) => mul(term.value(m), m.columns[column] as Tensor) };
}
