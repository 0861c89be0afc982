import { type Breath, type Evaluated, type Metrics, meanOf, type Run, type Spectator } from "@reins/core";
import type { Agent } from "../agents/agent.ts";

/** The metric of what an agent gains when it is measured on the way. */
export const evaluatedReturn = "evaluation/return";

/** When and by how much an agent is measured on the way. */
export interface EvaluationsOptions {
  /** Environment steps from one measurement to the next. */
  readonly every: number;
  readonly episodes: number;
  readonly breath?: Breath;
  /** Who looks on, this time. */
  readonly spectator?: () => Spectator | undefined;
}

/** Measures an agent now and then while it learns, always by the same episodes. Training is not disturbed, and the same run measures at the same steps. */
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

  /** What it gains now, if that is to be measured; called after every round. */
  due(): Promise<{ readonly found: Evaluated; readonly metrics: Metrics }> | undefined {
    const { steps } = this.run;
    if (steps < this.next) return undefined;
    this.next = this.after(steps);
    return this.measure();
  }

  private async measure() {
    const { episodes, breath, spectator } = this.options;
    const { seed } = this.run.options;
    const found = await this.agent.evaluate(episodes, { seed, breath, spectator: spectator?.() });
    const metrics = {
      [evaluatedReturn]: found.mean,
      "evaluation/return-std": found.std,
      "evaluation/length": meanOf(found.lengths),
      ...(found.success === undefined ? {} : { "evaluation/success": found.success }),
    };
    return { found, metrics };
  }
}
