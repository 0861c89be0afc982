import type { Tree } from "@reins/tensor";
import type { AsyncEnv, Env, ResetOptions, Step, VectorEnv } from "../env.ts";
import { describeValue, fail } from "../errors.ts";
import type { Value } from "../space.ts";
import { withTimeout } from "./async-answers.ts";
import { copiesOf, environmentFailed, requireFlag, requireResult } from "./contract.ts";
import { Copies } from "./copies.ts";

/**
 * Many copies of an environment as a VectorEnv: `make(i)` makes the copy of row i. Episodes that end restart in the same step, with
 * the context of the last `reset`; `spec.maxSteps` truncates if the environment does not do so itself. Copies may be asynchronous: the
 * step is done when all have answered, in any order.
 */
export function vectorise(make: (index: number) => Env | AsyncEnv, copies: number): VectorEnv {
  const envs = copiesOf("vectorise", make, copies);
  const { id, agents } = envs[0].spec;
  if (agents) fail(id, `it has ${agents.names.length} agents. Write a MultiEnv and use vectoriseMulti().`);
  return new Vectorised(envs, 1);
}

type Begun = Awaited<ReturnType<AsyncEnv["reset"]>>;

/** Default time-out of an answer, in milliseconds. */
const patience = 60_000;

class Vectorised extends Copies<Env | AsyncEnv> {
  protected advance(row: number, action: Tree): void | Promise<void> {
    const value: Value = this.actionOf(row, action);
    this.table.take(row, value);
    let result: Step | Promise<Step>;
    try {
      result = this.envs[row].step(value);
    } catch (error) {
      environmentFailed(this.table, row, "step", error);
    }
    return result instanceof Promise ? this.steppedLater(row, result) : this.took(row, result);
  }

  private steppedLater(row: number, answer: Promise<Step>): Promise<void> {
    return this.answered(row, "step", answer).then((step) => this.took(row, step));
  }

  /** Writes the result of a step. */
  private took(row: number, result: Step): void | Promise<void> {
    const { table } = this;
    requireResult(table, row, "step", result, "{ observation, reward, terminated, truncated }");
    const { observation, reward, terminated, truncated } = result;
    requireFlag(table, row, "terminated", terminated);
    requireFlag(table, row, "truncated", truncated);
    table.putReward(row, reward);
    const late = ++table.running.length[row] >= this.maxSteps;
    this.terminated.data[row] = terminated ? 1 : 0;
    this.truncated.data[row] = truncated || late ? 1 : 0;
    if (terminated || truncated || late) {
      table.putObservation(row, this.final, observation);
      if (this.mask) table.putFinalMask(row, terminated ? undefined : this.envs[row].mask!());
      table.end(row);
      return this.begin(row, this.again);
    }
    table.putObservation(row, this.observation, observation);
    this.putMask(row);
  }

  protected begin(row: number, options: ResetOptions | undefined): void | Promise<void> {
    this.table.take(row, undefined);
    let result: Begun | Promise<Begun>;
    try {
      result = this.envs[row].reset(options);
    } catch (error) {
      environmentFailed(this.table, row, "reset", error);
    }
    return result instanceof Promise ? this.begunLater(row, result) : this.begun(row, result);
  }

  private begunLater(row: number, answer: Promise<Begun>): Promise<void> {
    return this.answered(row, "reset", answer).then((begun) => this.begun(row, begun));
  }

  /** Writes the start of an episode. */
  private begun(row: number, result: Begun): void {
    requireResult(this.table, row, "reset", result, "{ observation }");
    this.table.putObservation(row, this.observation, result.observation);
    this.table.begin(row);
    this.putMask(row);
  }

  /** A pending answer. A failure or a time-out is an error with the row and the step. */
  private answered<T>(row: number, call: "reset" | "step", answer: Promise<T>): Promise<T> {
    const env = this.envs[row];
    const milliseconds = ("stepTimeout" in env ? env.stepTimeout : undefined) ?? patience;
    if (typeof milliseconds !== "number" || !(milliseconds > 0))
      this.table.fault(
        row,
        `stepTimeout is ${describeValue(milliseconds)}; it must be a number of milliseconds above 0, such as ${patience}.`,
      );
    const what = call === "step" ? `step ${this.table.running.length[row] + 1} of its episode` : "reset";
    const late = () => {
      try {
        this.table.fault(
          row,
          `${what} timed out after ${milliseconds} ms. Raise \`stepTimeout\` to wait longer.`,
        );
      } catch (error) {
        return error;
      }
    };
    const own = answer.catch((error) => environmentFailed(this.table, row, call, error));
    return withTimeout(own, milliseconds, late);
  }

  private putMask(row: number): void {
    if (this.mask) this.table.putMask(row, this.envs[row].mask!());
  }
}
