import type { RecipeLine, RecipeState } from "@reins/studio/wire";
import { allStates, classOf, states } from "./states.ts";

/** A verdict as a coloured badge. */
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

/** Explains the verdicts in use. */
export function VerdictWords({ all }: { all: readonly RecipeLine[] }) {
  const used = new Set(all.flatMap((l) => [l.state, ...(l.measured?.claims.map((c) => c.verdict) ?? [])]));
  return (
    <details class="verdict-words">
      <summary class="soft">What the verdicts mean</summary>
      <dl>
        {allStates
          .filter((state) => used.has(state))
          .map((state) => (
            <div key={state}>
              <dt>
                <Verdict state={state} />
              </dt>
              <dd>{states[state]}</dd>
            </div>
          ))}
      </dl>
      <p class="soft">
        The verdict of a system is that of its first claim, the headline. The points below it are the verdicts
        of all its claims, in order.
      </p>
    </details>
  );
}
