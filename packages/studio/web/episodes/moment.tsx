import type { EpisodeData } from "../../src/wire.ts";
import { short } from "../words.ts";
import { Strip } from "./strip.tsx";

/** Rewards may be scaled in training, and the critic knows no others. */
const aboutValue = "What the critic expects from here on, in the units that it learned in.";

/** What was done and paid at one step, and what the agent thought. */
export function Moment({ data, step }: { data: EpisodeData; step: number }) {
  const { columns } = data;
  const rewards = numbersOf(columns.reward);
  let sum = 0;
  const totals = rewards.map((r) => (sum += r));
  const action = at(columns.action, step);
  const chances = at(columns.probabilities, step);
  const values = columns.value ? numbersOf(columns.value) : undefined;
  const last = step === lengthOf(data) - 1;
  return (
    <div class="moment">
      <p class="row">
        <span>
          Step <b>{step}</b> of {lengthOf(data)}
        </span>
        {action.length > 0 && (
          <span>
            action <b>{action.map(short).join(", ")}</b>
          </span>
        )}
        {last && <span class="soft">{data.terminated ? "it ended here" : "its time was up"}</span>}
      </p>
      {chances.length > 0 && <Chances chances={chances} chosen={action[0]} />}
      <Strip title="reward" values={rewards} at={step} />
      <Strip title="return so far" values={totals} at={step} />
      {values && <Strip title="critic's value" about={aboutValue} values={values} at={step} />}
    </div>
  );
}

/** How likely each action was, in per cent, and which was taken. */
function Chances({ chances, chosen }: { chances: readonly number[]; chosen: number | undefined }) {
  const percent = chances.map((p) => Math.round(100 * p));
  return (
    <figure class="chances">
      <figcaption class="soft">How likely it held each action to be, in per cent</figcaption>
      <div class="bars" role="img" aria-label={percent.map((n, i) => `action ${i}: ${n} %`).join(", ")}>
        {percent.map((n, i) => (
          <div key={i} class={chosen === i ? "bar-chosen" : ""}>
            <small>{n}</small>
            <span style={{ height: `${n / 2}px` }} />
            <i>{i}</i>
          </div>
        ))}
      </div>
    </figure>
  );
}

type Column = EpisodeData["columns"][string] | undefined;

const numbersOf = (column: Column): number[] => column?.data.map(Number) ?? [];

/** The numbers of one step. */
function at(column: Column, step: number): number[] {
  if (!column) return [];
  const each = column.data.length / (column.shape[0] || 1);
  return column.data.slice(step * each, (step + 1) * each).map(Number);
}

/** Steps of an episode, and at least one. */
export const lengthOf = ({ columns, frames, every }: EpisodeData): number =>
  Math.max(1, columns.reward?.shape[0] ?? frames.length * every);
