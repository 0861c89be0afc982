import type { RecipeState } from "../../src/recipe-wire.ts";
import { classOf, states } from "./states.ts";

/** A verdict, as a word with a colour. */
export const Verdict = ({ state }: { state: RecipeState }) => (
  <span class={`badge verdict ${classOf(state)}`} title={states[state]}>
    {state}
  </span>
);

/** The verdicts on all claims of a system, as a row of points. */
export const Verdicts = ({ all }: { all: readonly RecipeState[] }) => (
  <span class="pips" role="img" aria-label={`Claims: ${all.join(", ")}`} title={all.join(", ")}>
    {all.map((state, i) => (
      <span key={i} class={`pip verdict ${classOf(state)}`} />
    ))}
  </span>
);
