import type { Tree } from "@reins/tensor";
import type { Env, ResetOptions, Step, VectorEnv } from "../env.ts";
import { fail } from "../errors.ts";
import type { Value } from "../space.ts";
import { copiesOf, requireFlag, requireResult, threw } from "./contract.ts";
import { Copies } from "./copies.ts";

/**
 * Many copies of an environment as a VectorEnv: `make(i)` gives the copy of row i. Episodes that end begin anew in the same step, with
 * the context of the last `reset`; `spec.maxSteps` truncates where the environment does not do so itself.
 */
export function vectorise(make: (index: number) => Env, copies: number): VectorEnv {
  const envs = copiesOf("vectorise", make, copies);
  const { id, agents } = envs[0].spec;
  if (agents) fail(id, `it has ${agents.names.length} agents. Write a MultiEnv and use vectoriseMulti().`);
  return new Vectorised(envs, 1);
}

class Vectorised extends Copies<Env> {
  protected advance(row: number, action: Tree): void {
    const { table } = this;
    const { observation, reward, terminated, truncated } = this.call(row, this.actionOf(row, action));
    table.putReward(row, reward);
    const late = ++table.running.length[row] >= this.maxSteps;
    this.terminated.data[row] = terminated ? 1 : 0;
    this.truncated.data[row] = truncated || late ? 1 : 0;
    if (terminated || truncated || late) {
      table.putObservation(row, this.final, observation);
      table.end(row);
      this.begin(row, this.again);
    } else {
      table.putObservation(row, this.observation, observation);
      this.putMask(row);
    }
  }

  protected begin(row: number, options: ResetOptions | undefined): void {
    let result: ReturnType<Env["reset"]>;
    try {
      result = this.envs[row].reset(options);
    } catch (error) {
      threw(this.table, row, "reset", error);
    }
    requireResult(this.table, row, "reset", result, "{ observation }");
    this.table.putObservation(row, this.observation, result.observation);
    this.table.begin(row);
    this.putMask(row);
  }

  /** The copy's own step, its answer checked. */
  private call(row: number, action: Value): Step {
    let result: Step;
    try {
      result = this.envs[row].step(action);
    } catch (error) {
      threw(this.table, row, "step", error);
    }
    requireResult(this.table, row, "step", result, "{ observation, reward, terminated, truncated }");
    requireFlag(this.table, row, "terminated", result.terminated);
    requireFlag(this.table, row, "truncated", result.truncated);
    return result;
  }

  private putMask(row: number): void {
    if (this.mask) this.table.putMask(row, this.envs[row].mask!());
  }
}
