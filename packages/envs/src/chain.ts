import type { BatchedEnv, BatchedOptions } from "./batch-form.ts";
import { tabularEnv } from "./tabular/env.ts";
import { type TabularMdp, type TransitionOutcome, tabularMdp } from "./tabular/mdp.ts";

/** Options of a chain. */
export interface ChainOptions extends BatchedOptions {
  /** States in a row. With more, random actions are less likely to reach the end. */
  readonly length?: number;
}

/** The chain as a table. */
export function chainModel({ length = 5 }: ChainOptions = {}): TabularMdp {
  const slip = 0.2;
  return tabularMdp(
    { id: "Chain-v0", states: length, actions: 2, start: first(length, 0), maxSteps: 1000 },
    (state, action) => {
      const ahead = (probability: number): TransitionOutcome => ({
        probability,
        state: Math.min(state + 1, length - 1),
        reward: state === length - 1 ? 10 : 0,
        terminated: false,
      });
      const back = (probability: number): TransitionOutcome => ({
        probability,
        state: 0,
        reward: 2,
        terminated: false,
      });
      return action === 0 ? [ahead(1 - slip), back(slip)] : [back(1 - slip), ahead(slip)];
    },
  );
}

/**
 * Five states in a row: go on (0) towards a reward of 10 at the end, or back (1) for an immediate 2; with
 * probability 0.2 the other action is taken. Dearden, Friedman and Russell, "Bayesian Q-Learning" (1998).
 */
export function chain(options: ChainOptions = {}): BatchedEnv {
  const { rows, maxSteps = 1000, length = 5 } = options;
  return tabularEnv(chainModel(options), { rows, maxSteps, draw: (state) => drawChain(state, length) });
}

/** Options of a corridor. */
export interface CorridorOptions {
  /** Cells in a row. */
  readonly length: number;
  /** Probability that a step goes the other way. */
  readonly slip?: number;
}

/**
 * Cells in a row with a random start: left (0) or right (1), reward 1 beyond the right end and -1 beyond the left.
 * With distant ends, discounted action values differ by orders of magnitude (van Seijen et al., 2019, with the
 * loss added).
 */
export function corridorModel({ length, slip = 0 }: CorridorOptions): TabularMdp {
  const start = Array.from({ length }, () => 1 / length);
  return tabularMdp({ id: "Corridor-v0", states: length, actions: 2, start }, (from, action) =>
    [1 - slip, slip].map((probability, i) => {
      const to = from + ((action === 1) === (i === 0) ? 1 : -1);
      const reward = to < 0 ? -1 : to === length ? 1 : 0;
      return { probability, state: Math.min(Math.max(to, 0), length - 1), reward, terminated: reward !== 0 };
    }),
  );
}

/** The river as a table. */
export function riverSwimModel({ length = 6 }: ChainOptions = {}): TabularMdp {
  const last = length - 1;
  const to = (probability: number, state: number, reward = 0): TransitionOutcome => ({
    probability,
    state,
    reward,
    terminated: false,
  });
  return tabularMdp(
    { id: "RiverSwim-v0", states: length, actions: 2, start: first(length, 0), maxSteps: 20 * length },
    (state, action) => {
      if (action === 0) return [to(1, Math.max(state - 1, 0), state === 0 ? 0.005 : 0)];
      if (state === 0) return [to(0.4, 0), to(0.6, 1)];
      if (state === last) return [to(0.4, last - 1), to(0.6, last, 1)];
      return [to(0.05, state - 1), to(0.6, state), to(0.35, state + 1)];
    },
  );
}

/**
 * A river with a small reward downstream and a large one upstream, against the current: left (0) or right (1).
 * Strehl and Littman, "An Analysis of Model-Based Interval Estimation for Markov Decision Processes" (2008), with
 * rewards scaled to 1.
 */
export function riverSwim(options: ChainOptions = {}): BatchedEnv {
  const { rows, length = 6, maxSteps = 20 * length } = options;
  return tabularEnv(riverSwimModel(options), { rows, maxSteps, draw: (state) => drawChain(state, length) });
}

function first(length: number, at: number): number[] {
  return Array.from({ length }, (_, s) => (s === at ? 1 : 0));
}

function drawChain(state: number, length: number): string {
  return Array.from({ length }, (_, s) => (s === state ? "◉" : "○")).join("──");
}
