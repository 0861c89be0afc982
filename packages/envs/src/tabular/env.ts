import { discrete, type EnvSpec, type Rendering } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import { checkMdp, type TabularMdp } from "./mdp.ts";

/** Options of a tabular environment. */
export interface TabularEnvOptions extends BatchedOptions {
  /** Renders a state as text, given the action that led there (-1 at the start). */
  readonly draw?: (state: number, action: number) => string;
  /** Renders a state as shapes. */
  readonly picture?: (state: number, action: number) => Rendering;
}

/** A tabular MDP, and how its states are drawn. */
export interface DrawnMdp extends Pick<TabularEnvOptions, "draw" | "picture"> {
  readonly model: TabularMdp;
}

/** Description of a tabular MDP as an environment. */
export const tableSpec = ({ id, states, actions, maxSteps, solvedAt }: TabularMdp): EnvSpec => ({
  id,
  observation: discrete(states),
  action: discrete(actions),
  ...(maxSteps === undefined ? {} : { maxSteps }),
  ...(solvedAt === undefined ? {} : { solvedAt }),
});

/** The text of a state of which no drawing is known. */
export const describeState = ({ id, states }: TabularMdp, state: number): string =>
  `${id}: state ${state} of ${states}`;

/** Running sums. */
export function running(values: readonly number[]): number[] {
  let sum = 0;
  return values.map((v) => (sum += v));
}

/** A tabular MDP as an environment: the state is the observation. */
export function tabularEnv(mdp: TabularMdp, options: TabularEnvOptions = {}): BatchedEnv {
  return new TableEnv(mdp, options);
}

/** A drawn MDP as an environment. */
export const drawnEnv = ({ model, ...drawings }: DrawnMdp, { rows, maxSteps }: BatchedOptions): BatchedEnv =>
  tabularEnv(model, { rows, maxSteps: maxSteps ?? model.maxSteps, ...drawings });

class TableEnv extends BatchedEnv {
  /** The model, for planners. */
  readonly model: TabularMdp;
  protected readonly state;
  private readonly actions: number;
  private readonly draw: (state: number, action: number) => string;
  readonly picture?: (row: number) => Rendering;
  /** Index of the first outcome of each state-action pair; one entry more than there are pairs. */
  private readonly first: Int32Array;
  /** Cumulative probability of an outcome within its pair. */
  private readonly upTo: Float64Array;
  private readonly next: Int32Array;
  private readonly rewards: Float32Array;
  private readonly ends: Uint8Array;
  private readonly starts: Float64Array;

  constructor(mdp: TabularMdp, { draw, picture, ...options }: TabularEnvOptions) {
    checkMdp(mdp);
    super(tableSpec(mdp), options);
    this.model = mdp;
    this.actions = mdp.actions;
    this.draw = draw ?? ((state) => describeState(mdp, state));
    const pairs = mdp.transition.flat();
    const outcomes = pairs.flat();
    this.first = Int32Array.from([0, ...running(pairs.map((p) => p.length))]);
    this.upTo = Float64Array.from(pairs.flatMap((p) => running(p.map((o) => o.probability))));
    this.next = Int32Array.from(outcomes, (o) => o.state);
    this.rewards = Float32Array.from(outcomes, (o) => o.reward);
    this.ends = Uint8Array.from(outcomes, (o) => (o.terminated ? 1 : 0));
    this.starts = Float64Array.from(running(mdp.start));
    this.state = { at: new Int32Array(this.rows), last: new Int32Array(this.rows) };
    if (picture) this.picture = (row) => picture(this.state.at[row], this.state.last[row]);
  }

  protected begin(row: number): void {
    this.state.at[row] = pick(this.starts, 0, this.starts.length, this.random[row].random());
    this.state.last[row] = -1;
  }

  protected observe(row: number): void {
    this.observation.data[row] = this.state.at[row];
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { first, upTo, next, rewards, ends, random } = this;
    const { at, last } = this.state;
    const actions = action.data as Int32Array;
    const out = this.observation.data as Int32Array;
    const reward = this.reward.data as Float32Array;
    const terminated = this.terminated.data as Uint8Array;
    for (let i = from; i < to; i++) {
      const pair = at[i] * this.actions + actions[i];
      // A number is drawn even for a certain outcome, as in Gymnasium, to keep the streams equal.
      const outcome = pick(upTo, first[pair], first[pair + 1], random[i].random());
      at[i] = out[i] = next[outcome];
      last[i] = actions[i];
      reward[i] = rewards[outcome];
      terminated[i] = ends[outcome];
    }
  }

  render(row: number): string {
    return this.draw(this.state.at[row], this.state.last[row]);
  }
}

/** The first of the entries from `from` to `to` that exceeds `u`; the first of all if rounding left none. */
function pick(upTo: Float64Array, from: number, to: number, u: number): number {
  for (let i = from; i < to; i++) if (upTo[i] > u) return i;
  return from;
}
