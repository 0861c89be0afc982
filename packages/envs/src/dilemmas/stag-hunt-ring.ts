import { box, discrete, type EnvSpec, type MultiEnv, type ResetOptions, type Value } from "@reins/core";
import { defaultRng } from "@reins/core/random";

/** Options of a stag hunt ring. */
export interface StagHuntOptions {
  readonly agents?: number;
  /** Reward of hunting hares in a game, whatever the neighbour does. */
  readonly hare?: number;
  /** Cost of hunting the stag alone, for the agents in turn around the ring. */
  readonly risks?: readonly number[];
  /** Whether hunters observe their risk. */
  readonly seesRisk?: boolean;
  readonly maxSteps?: number;
}

/**
 * Hunters on a ring, each in a game with both neighbours: a stag (action 1) has reward 1 if both hunt it and costs
 * a risk if one is alone; hares (0) are safe. With hares below 1, all hunting the stag is optimal and an
 * equilibrium. Hunters observe their own and their two neighbours' last actions: not those of the others and, by
 * default, not their own risk.
 */
export function stagHuntRing(options: StagHuntOptions = {}): MultiEnv {
  const { agents = 12, hare = 0.4, risks = [1], seesRisk = false, maxSteps = 25 } = options;
  const spec: EnvSpec = {
    id: "StagHuntRing-v0",
    observation: box([seesRisk ? 4 : 3]),
    action: discrete(2),
    maxSteps,
    agents: { names: Array.from({ length: agents }, (_, i) => `hunter ${i}`), order: "parallel" },
  };
  const random = defaultRng(0);
  let last = new Array<number>(agents).fill(0);
  let steps = 0;
  const at = (i: number) => last[(i + agents) % agents];
  const risk = (i: number) => risks[i % risks.length];
  const game = (i: number, neighbour: number) => (at(i) ? (at(neighbour) ? 1 : -risk(i)) : hare);
  const see = () =>
    last.map((own, i) => [own, at(i - 1), at(i + 1), ...(seesRisk ? [risk(i)] : [])]) as Value[];
  const all = <T>(value: T) => last.map(() => value);
  return {
    spec,
    reset({ seed }: ResetOptions = {}) {
      if (seed !== undefined) random.restore(defaultRng(seed).save());
      // The last actions are random at the start.
      last = last.map(() => random.integers(2));
      steps = 0;
      return { observations: see() };
    },
    step(actions) {
      last = actions.map(Number);
      const rewards = last.map((_, i) => game(i, i - 1) + game(i, i + 1));
      const over = ++steps >= maxSteps;
      return { observations: see(), rewards, terminated: all(false), truncated: all(over), over };
    },
    save: () => ({ last, steps, random: random.save() }),
    restore(from) {
      const saved = from as { last: number[]; steps: number; random: Uint32Array };
      last = [...saved.last];
      steps = saved.steps;
      random.restore(saved.random);
    },
    render: () => last.map((a) => (a ? "◉" : "○")).join("─"),
  };
}
