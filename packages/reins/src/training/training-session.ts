import type { Run, YieldHook } from "@reins/core";
import type { Listeners } from "./callbacks.ts";
import type { ContinueOptions } from "./continue-options.ts";
import type { Evaluations } from "./evaluations.ts";
import type { Watch } from "./progress.ts";
import type { Remote } from "./remote.ts";
import type { Trained } from "./result.ts";
import type { RunWriter } from "./run-writer.ts";
import type { Sinks } from "./sinks.ts";

/** What the loop, the evaluations and the reports of one training share. */
export interface TrainingSession {
  readonly run: Run;
  readonly options: ContinueOptions;
  /** Writes the run's files; undefined without a directory, or if the run is already finished. */
  readonly writer: RunWriter | undefined;
  readonly watch: Watch;
  readonly listeners: Listeners;
  /** Commands from other processes. */
  readonly remote: Remote | undefined;
  readonly evaluations: Evaluations | undefined;
  /** Yields to the event loop during evaluations, which the user may interrupt. */
  readonly yieldHook: YieldHook;
  sinks: Sinks | undefined;
  ended: Trained["ended"];
  /** The step of the last call of `onProgress`; -1 before the first. */
  reportedStep: number;
}

/** Awaits an evaluation. Commands are answered meanwhile, and its time does not count as training time. */
export function duringEvaluation<T>({ remote, watch }: TrainingSession, evaluation: Promise<T>): Promise<T> {
  const started = performance.now();
  const done = () => watch.leaveOut(performance.now() - started);
  return (remote?.during(evaluation) ?? evaluation).finally(done);
}
