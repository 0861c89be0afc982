import { and, ge, not, or, random, reshape, Tensor, type Tree, vmap, where } from "@reins/tensor";
import type { TracedColumns, TracedEnv } from "../env.ts";
import { timeLimitOf } from "../env-spec.ts";
import { columns, zeroColumn } from "../spaces/layout.ts";
import { requireTree } from "./copy.ts";

/** State carried from one step of all rows to the next. */
export type LoopCarry<S extends Tree> = { state: S; steps: Tensor; key: Tensor };

/**
 * The complete step of a traced environment: rows that ended restart with new random numbers, `spec.maxSteps`
 * truncates, and if the scalar `begin` is true all rows restart. Every row is reset in every step, and the result is selected where
 * needed, because compiled code has no branches.
 */
export function tracedStep<P extends Tree, S extends Tree>(env: TracedEnv<P, S>, rows: number) {
  const { id, observation: space, rewards } = env.spec;
  const like = {
    observation: columns(space, rows),
    reward: zeroColumn("f32", rewards ? [rows, rewards.length] : [rows]),
    flag: zeroColumn("bool", [rows]),
  };
  const observe = (params: P, state: S): Tree => {
    const seen = env.observe(params, state);
    requireTree(id, like.observation, seen, "the result of observe()");
    return seen;
  };
  return (
    carry: LoopCarry<S>,
    params: P,
    action: Tree,
    begin: Tensor,
  ): { carry: LoopCarry<S> } & TracedColumns => {
    const [key, stepKey, resetKey] = (env.rowKeys ? vmap(threeKeys) : threeKeys)(carry.key);
    const next = env.step(params, carry.state, action, stepKey);
    const fresh = env.reset(params, rows, resetKey);
    requireTree(id, carry.state, next.state, "the state from step()");
    requireTree(id, carry.state, fresh, "the state from reset()");
    requireTree(id, like.reward, next.reward, "the reward");
    requireTree(id, like.flag, next.terminated, "terminated");
    const steps = carry.steps.add(1);
    const running = not(begin);
    const terminated = and(next.terminated, running);
    const late = ge(steps, timeLimitOf(env.spec) ?? 2 ** 31 - 1);
    const truncated = and(late, running);
    const over = or(or(terminated, truncated), begin);
    const state = choose(over, fresh, next.state, carry.state) as S;
    return {
      carry: { state, steps: where(over, 0, steps), key },
      observation: observe(params, state),
      final: observe(params, next.state),
      reward: where(begin, 0, next.reward),
      terminated,
      truncated,
    };
  };
}

const threeKeys = (key: Tensor): Tensor[] => random.splitKey(key, 3);

type Trees = { readonly [name: string]: Tree };

/** Rows of `a` where the condition holds, rows of `b` elsewhere; parts are matched by name, not by order. */
export function choose(condition: Tensor, a: Tree, b: Tree, like: Tree): Tree {
  if (like === undefined || like === null) return like;
  if (like instanceof Tensor) {
    const wide = reshape(
      condition,
      like.shape.map((d, i) => (i === 0 ? d : 1)),
    );
    return where(wide, a as Tensor, b as Tensor);
  }
  if (Array.isArray(like))
    return like.map((part, i) =>
      choose(condition, (a as readonly Tree[])[i], (b as readonly Tree[])[i], part),
    );
  return Object.fromEntries(
    Object.entries(like as Trees).map(([name, part]) => [
      name,
      choose(condition, (a as Trees)[name], (b as Trees)[name], part),
    ]),
  );
}
