import type { Bounds, PairMeasures, Run } from "@reins/core";
import type { Agent } from "../agents/agent.ts";

/** Mean return over some episodes, with its uncertainty. */
export interface Returns {
  readonly mean: number;
  /** Standard deviation between episodes. */
  readonly std: number;
  readonly episodes: number;
  /** 95% confidence interval of the mean, if the episodes are of one policy. */
  readonly interval?: Bounds;
  /** Success rate, if the environment has goals. */
  readonly success?: number;
  /** 95% confidence interval of the success rate. */
  readonly successInterval?: Bounds;
  /** Episodes that were stopped after 10,000 steps, in an environment without `maxSteps`. */
  readonly unfinished?: number;
  /** Number of distinct problems of a language task, where some were repeated: the interval is then too narrow. */
  readonly distinct?: number;
  /** Whether the mean is a log-probability per token of held-out examples, instead of a score. */
  readonly likelihood?: boolean;
  /** Measures of a reward model on held-out pairs; the mean is their accuracy. */
  readonly pairs?: PairMeasures;
}

/** Result of training: the agent, its return and the training speed. */
export interface Trained extends Agent {
  /** The run that trained the agent; it can be inspected and continued. */
  readonly run: Run;
  /**
   * Return of the trained agent over evaluation episodes, or without them over the last training episodes. A stopped run is not
   * evaluated: NaN over 0 episodes; `training` holds its return so far, and `evaluate()` measures it.
   */
  readonly return: Returns;
  /** Return of the last training episodes, with exploration. */
  readonly training: Returns;
  /** Total seconds, with compilation and evaluation. */
  readonly seconds: number;
  /** Environment steps per second during training. */
  readonly stepsPerSecond: number;
  readonly ended: "finished" | "solved" | "stopped";
  /** The run directory, if any. */
  readonly directory: string | undefined;
}
