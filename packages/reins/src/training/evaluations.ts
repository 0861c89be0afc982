import type { EvaluationResult, Metrics, Run, YieldHook } from "@reins/core";
import { type EvaluationObserver, meanOf } from "@reins/core/evaluations";
import type { Agent } from "../agents/agent.ts";

/** Metric of the mean return of evaluations during training. */
export const evaluatedReturn = "evaluation/return";

/** Options of evaluations during training. */
export interface EvaluationsOptions {
  /** Environment steps between evaluations. */
  readonly every: number;
  readonly episodes: number;
  readonly yieldHook?: YieldHook;
  /** Observer of the evaluation, if any. */
  readonly spectator?: () => EvaluationObserver | undefined;
}

/** Evaluates an agent periodically during training, always on the same episodes. It does not affect training, and the same run evaluates at the same steps. */
export class Evaluations {
  private readonly run: Run;
  private readonly agent: Agent;
  private readonly options: EvaluationsOptions;
  private next: number;

  constructor(run: Run, agent: Agent, options: EvaluationsOptions) {
    this.run = run;
    this.agent = agent;
    this.options = options;
    this.next = this.after(run.steps);
  }

  private after(steps: number): number {
    const { every } = this.options;
    return (Math.floor(steps / every) + 1) * every;
  }

  /** Evaluates the agent if an evaluation is due; called after every round. */
  due(): Promise<{ readonly found: EvaluationResult; readonly metrics: Metrics }> | undefined {
    const { steps } = this.run;
    if (steps < this.next) return undefined;
    this.next = this.after(steps);
    return this.measure();
  }

  private async measure() {
    const { episodes, yieldHook, spectator } = this.options;
    const { seed } = this.run.options;
    const found = await this.agent.evaluate(episodes, { seed, yieldHook, spectator: spectator?.() });
    const metrics = {
      [evaluatedReturn]: found.mean,
      "evaluation/return-std": found.std,
      "evaluation/length": meanOf(found.lengths),
      ...(found.success === undefined ? {} : { "evaluation/success": found.success }),
    };
    return { found, metrics };
  }
}
