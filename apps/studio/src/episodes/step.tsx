import type { EpisodeData } from "@reins/studio/wire";
import { short } from "../format.ts";
import { Strip } from "./strip.tsx";

const aboutValue = "The critic's estimate of the discounted return from this step, in scaled rewards.";

/** The action and reward of one step, the policy's probabilities and the critic's value. */
export function StepDetail({ data, step }: { data: EpisodeData; step: number }) {
  const { columns, labels } = data;
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
            action <b>{actionText(action, columns.action, labels.action)}</b>
          </span>
        )}
        {last && <span class="soft">{data.terminated ? "terminated here" : "truncated here"}</span>}
      </p>
      {chances.length > 0 && <Chances chances={chances} chosen={action[0]} names={labels.action} />}
      <Strip title="reward" values={rewards} at={step} />
      <Strip title="return so far" values={totals} at={step} />
      {values && <Strip title="critic's value (return)" about={aboutValue} values={values} at={step} />}
    </div>
  );
}

/** An action as text: discrete actions by label, others by their numbers. */
export function actionText(
  action: readonly number[],
  column: Column,
  labels: readonly string[] | undefined,
): string {
  const isChoice = column?.shape.length === 1;
  if (isChoice && action.length === 1 && labels?.[action[0]] !== undefined)
    return `${labels[action[0]]} (${action[0]})`;
  return action.map(short).join(", ");
}

/** The probability of each action in percent, with the chosen action highlighted. */
function Chances(props: {
  chances: readonly number[];
  chosen: number | undefined;
  names: readonly string[] | undefined;
}) {
  const { chances, chosen, names } = props;
  const percent = chances.map((p) => Math.round(100 * p));
  const nameOf = (i: number) => (names?.length === chances.length ? names[i] : `${i}`);
  return (
    <figure class="chances">
      <figcaption class="soft">Probability of each action, in percent</figcaption>
      <div
        class="bars"
        role="img"
        aria-label={percent.map((n, i) => `action ${nameOf(i)}: ${n} %`).join(", ")}
      >
        {percent.map((n, i) => (
          <div key={i} class={chosen === i ? "bar-chosen" : ""} title={nameOf(i)}>
            <small>{n}</small>
            <span style={{ height: `${n / 2}px` }} />
            <i>{nameOf(i)}</i>
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

/** Number of steps of an episode, at least 1. */
export const lengthOf = ({ columns, frames, every }: EpisodeData): number =>
  Math.max(1, columns.reward?.shape[0] ?? frames.length * every);
