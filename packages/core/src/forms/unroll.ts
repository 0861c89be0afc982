import { add, leaves, or, random, scalar, scan, type Tensor, type Tree, where, zeros } from "@reins/tensor";
import type { TracedEnv } from "../env.ts";

/** A trajectory, each tensor [time, rows, …]. */
export type Unrolled<A extends Tree = Tree> = {
  readonly observation: Tree;
  readonly action: A;
  /** 0 after an episode's end. */
  readonly reward: Tensor;
};

/** Options of {@link unroll}. */
export interface UnrollOptions<A extends Tree, S extends Tree> {
  readonly start: S;
  readonly steps: number;
  readonly key: Tensor;
  act(observation: Tree, key: Tensor): A;
}

/**
 * Runs a traced environment from `start` for a number of steps, as part of a traced function: gradients flow from the rewards through
 * the dynamics into the actions (pathwise gradients), unless they are stopped.
 */
export function unroll<P extends Tree, S extends Tree, A extends Tree>(
  env: TracedEnv<P, S>,
  params: P,
  { start, steps, key, act }: UnrollOptions<A, S>,
): Unrolled<A> {
  type At = { state: S; over: Tensor; time: Tensor };
  const { ys } = scan(
    (at: At, _: undefined) => {
      const [actKey, stepKey] = random.splitKey(random.foldKey(key, at.time));
      const observation = env.observe(params, at.state);
      const action = act(observation, actKey);
      const { state, reward, terminated } = env.step(params, at.state, action, stepKey);
      const next: At = { state, over: or(at.over, terminated), time: add(at.time, 1) };
      return [next, { observation, action, reward: where(at.over, 0, reward) } as Tree] as const;
    },
    { state: start, over: zeros([rowsOf(start)], "bool"), time: scalar(0, "i32") },
    undefined,
    { length: steps },
  );
  return ys as Unrolled<A>;
}

function rowsOf(state: Tree): number {
  return leaves(state)[0].shape[0];
}
