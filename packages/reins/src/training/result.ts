import type { Bounds, Run } from "@reins/core";
import type { Agent } from "../agents/agent.ts";

/** The mean return over some episodes, with its uncertainty. */
export interface Returns {
  readonly mean: number;
  /** Standard deviation between episodes. */
  readonly std: number;
  readonly episodes: number;
  /** 95% confidence interval of the mean, where the episodes are of one policy. */
  readonly interval?: Bounds;
  /** Success rate, where the environment has goals. */
  readonly success?: number;
  /** 95% confidence interval of the success rate. */
  readonly successInterval?: Bounds;
  /** Episodes that had not ended after 10,000 steps and were stopped there, in an environment without `maxSteps`. */
  readonly unfinished?: number;
}

/** What came of training: an agent, and how well and how fast it learned. */
export interface Trained extends Agent {
  /** The run that trained it: it can be asked for more than is here, and go on. */
  readonly run: Run;
  /**
   * The return of the trained agent: over fresh episodes, or (if none were to be played) over the last ones of training. Of a run that was
   * stopped nobody measured it: NaN over 0 episodes; `training` has what it was so far, and `evaluate()` measures it.
   */
  readonly return: Returns;
  /** The return over the last episodes of training, while it still explored. */
  readonly training: Returns;
  /** Seconds from beginning to end, compilation and evaluation included. */
  readonly seconds: number;
  /** Environment steps a second while it learned. */
  readonly stepsPerSecond: number;
  readonly ended: "finished" | "solved" | "stopped";
  /** Where the run is kept, if it is. */
  readonly directory: string | undefined;
}
