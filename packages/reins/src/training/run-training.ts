import { type EvaluationResult, fail, type Metrics, type Run } from "@reins/core";
import { describeValue, printable } from "@reins/core/errors";
import { checkUsualRange } from "@reins/core/settings";
import { agentOf } from "../agents/agent.ts";
import { inspectAs } from "../agents/inspect.ts";
import { type Callbacks, checkCallbacks, Listeners } from "./callbacks.ts";
import { Evaluations } from "./evaluations.ts";
import { advance, type Hooks, Interrupted, waiting, yieldEvery } from "./loop.ts";
import { type Progress, Watch } from "./progress.ts";
import { Remote } from "./remote.ts";
import type { Returns, Trained } from "./result.ts";
import type { RunWriter } from "./run-writer.ts";
import type { Sink } from "./sink.ts";
import { checkSinks, Sinks } from "./sinks.ts";
import { type Targets, targetNames, targetsIn, writeTargets } from "./targets.ts";

/** Options of training beside the algorithm's: checkpoints, evaluations, callbacks, sinks, progress. */
export interface ContinueOptions extends Targets {
  /** Environment steps between checkpoints (default: one every five minutes). The last state is always saved. */
  readonly checkpointEvery?: number;
  /** Environment steps between evaluations during training; the best agent is saved beside the last (default: none). */
  readonly evalEvery?: number;
  /** Called after steps, episodes, updates and evaluations. */
  readonly callbacks?: Callbacks | readonly Callbacks[];
  /** Destinations for rows of metrics beside the run directory, as in `[csv("metrics.csv")]`. */
  readonly sinks?: readonly Sink[];
  /** Episodes of the final evaluation (default 100); 0 reports the return of the last training episodes. */
  readonly evalEpisodes?: number;
  /** Stops when the mean return of the last 100 episodes reaches the environment's `solvedAt`. */
  readonly solved?: boolean;
  /** Whether to print progress, as the command line does (default false). */
  readonly progress?: boolean;
  /** Called with the progress a few times a second and once at the end. Returning false stops the run. */
  readonly onProgress?: (progress: Progress) => unknown;
  /** Polled during the final evaluation: true interrupts it. The trained run is saved; resuming it evaluates the agent. */
  readonly interrupted?: () => boolean;
  /** Milliseconds between calls of `onProgress` (default 250). */
  readonly progressEvery?: number;
}

/** All names of {@link ContinueOptions}. */
export const continueOptionNames = Object.keys({
  checkpointEvery: true,
  evalEvery: true,
  callbacks: true,
  sinks: true,
  evalEpisodes: true,
  solved: true,
  saveModel: true,
  saveAdapters: true,
  progress: true,
  onProgress: true,
  interrupted: true,
  progressEvery: true,
} satisfies { readonly [name in keyof Required<ContinueOptions>]: true });

/** Refuses numbers that are out of range, and callbacks that are not functions. */
export function checkContinueOptions(what: string, options: ContinueOptions): void {
  const { checkpointEvery, evalEvery, callbacks, evalEpisodes, progressEvery, onProgress, interrupted } =
    options;
  if (checkpointEvery !== undefined)
    checkUsualRange(what, "checkpointEvery", checkpointEvery, "positive", 10_000);
  if (evalEvery !== undefined) checkUsualRange(what, "evalEvery", evalEvery, "positive", 20_000);
  if (callbacks !== undefined) checkCallbacks(what, callbacks);
  if (options.sinks !== undefined) checkSinks(what, options.sinks);
  if (evalEpisodes !== undefined) checkUsualRange(what, "evalEpisodes", evalEpisodes, "whole", 100);
  if (progressEvery !== undefined) checkUsualRange(what, "progressEvery", progressEvery, "nonnegative", 250);
  if (options.progress !== undefined && typeof options.progress !== "boolean")
    fail(
      what,
      `progress is ${describeValue(options.progress)}; it must be true or false. Pass a function as onProgress.`,
    );
  for (const name of targetNames) {
    const folder: unknown = options[name];
    if (folder !== undefined && (typeof folder !== "string" || !folder))
      fail(what, `${name} is ${describeValue(folder)}; it must be the path of a folder.`);
  }
  for (const [name, hook] of Object.entries({ onProgress, interrupted }))
    if (hook !== undefined && typeof hook !== "function")
      fail(what, `${name} is ${describeValue(hook)}; it must be a function: ${name}: (progress) => …`);
}

/** Trains a new or resumed run to the end of its budget, writes its files, and evaluates the agent. */
export async function runTraining(
  run: Run,
  keeper: RunWriter | undefined,
  options: ContinueOptions,
  began = performance.now(),
  listeners = new Listeners(options.callbacks),
  step?: Hooks["step"],
): Promise<Trained> {
  const { onProgress, progressEvery = 250, interrupted = () => false } = options;
  const { evalEpisodes = keeper?.wishes.evalEpisodes ?? 100, solved: untilSolved = keeper?.wishes.solved } =
    options;
  // Files of a finished run are not changed.
  const kept = keeper?.isOver ? undefined : keeper;
  const watch = new Watch(run, began);
  const agent = agentOf(run);
  const yieldHook = yieldEvery(20, interrupted);
  const every = options.evalEvery ?? keeper?.wishes.evalEvery;
  const measurable = evalEpisodes > 0 && run.process.acting !== undefined;
  const evaluations =
    every === undefined || !measurable
      ? undefined
      : new Evaluations(run, agent, {
          every,
          episodes: evalEpisodes,
          yieldHook,
          spectator: () => kept?.spectator(),
        });
  listeners.attach(run);
  let ended = "finished" as Trained["ended"];
  /** The step of the last call of `onProgress`. */
  let reported = -1;
  let sinks: Sinks | undefined;
  const remote = kept && new Remote(run, kept, () => watch.progress());
  /** Answers commands during an evaluation, whose time does not count as slow training. */
  const measured = <T>(evaluation: Promise<T>): Promise<T> => {
    const started = performance.now();
    const done = () => watch.leaveOut(performance.now() - started);
    return (remote?.during(evaluation) ?? evaluation).finally(done);
  };
  try {
    if (kept && remote) {
      kept.listen(remote);
      if (run.steps > 0)
        for (const change of kept.changes()) console.warn(printable(`${kept.path}: ${change}.`));
    }
    sinks = await Sinks.open(options.sinks ?? [], run, keeper);
    const goal = untilSolved ? goalOf(run) : Number.POSITIVE_INFINITY;
    // By rounds and not by the clock, so that the same seed stops at the same step. A run that was killed after that does not continue.
    const solved = () => {
      if (run.metrics["return/mean"] >= goal && run.metrics.episodes >= 100) ended = "solved";
      return ended === "solved";
    };
    /** Reports progress and handles commands; false if the run is to end. */
    const look = (): boolean => {
      const progress = watch.look(remote?.paused);
      remote?.serve(progress);
      if (remote) remote.isAsked = false;
      const answer = onProgress?.(progress);
      listeners.follow(answer);
      if (answer !== false && !remote?.stopping) return true;
      ended = "stopped";
      return false;
    };
    const afterwards = () => {
      kept?.round();
      sinks?.round();
      if (listeners.saving) kept?.save();
      listeners.saving = false;
      if (listeners.stopping) ended = "stopped";
      return !solved() && !listeners.stopping;
    };
    const after = () => {
      listeners.update(run);
      const working = listeners.settled();
      return working ? working.then(afterwards) : afterwards();
    };
    if (!solved() && !keeper?.isOver)
      await advance(run, {
        step,
        every: progressEvery,
        urgent: () => remote?.isAsked === true,
        round() {
          const measuring = evaluations?.due();
          if (!measuring) return after();
          return measured(measuring).then(({ found, metrics }) => {
            // Before a checkpoint of this step, so that a resumed run keeps it.
            kept?.evaluated(metrics);
            sinks?.evaluated(metrics);
            listeners.evaluation(found);
            return after();
          });
        },
        pause() {
          reported = run.steps;
          const goesOn = look();
          return remote?.paused && goesOn ? waiting(look, () => remote.paused, progressEvery) : goesOn;
        },
      });
    remote?.end();
    const stepsPerSecond = watch.overall;
    // Reports the final progress, too.
    if (reported !== run.steps) listeners.follow(onProgress?.(watch.look()));
    if (ended !== "finished") kept?.stop(ended === "solved");
    const training = returnsOf(run.metrics);
    const toMeasure = ended !== "stopped" && measurable;
    const found = toMeasure
      ? await measured(
          agent.evaluate(evalEpisodes, {
            ...{ seed: run.options.seed, yieldHook, spectator: kept?.spectator(true) },
          }),
        ).catch(unlessInterrupted)
      : undefined;
    if (toMeasure && !found) ended = "stopped";
    if (found) listeners.evaluation(found);
    await listeners.settled();
    // Before the run counts as finished: a run that is killed here still has to write them.
    await writeTargets(agent, { ...kept?.targets, ...targetsIn(options) });
    const result = {
      return: found ? foundReturns(found) : ended === "stopped" ? unmeasured : training,
      training,
      seconds: (performance.now() - began) / 1000,
      stepsPerSecond,
    };
    await sinks?.close(ended);
    kept?.finish(ended === "stopped" ? "stopped" : "finished", {
      ended,
      measured: found !== undefined,
      ...result,
    });
    keeper?.close();
    const trained: Trained = { ...agent, ...result, steps: run.steps, ended, directory: keeper?.path };
    return inspectAs(trained, ({ algorithm, spec, steps, directory }) => ({
      algorithm,
      env: spec.id,
      steps,
      ...result,
      ended,
      directory,
    }));
  } catch (error) {
    if (kept) kept.crash(error);
    else keeper?.close();
    await sinks?.close("crashed").catch(() => {});
    throw error;
  }
}

function foundReturns(found: EvaluationResult): Returns {
  const { mean, std, count, interval, success, successInterval, unfinished } = found;
  const succeeded = success === undefined ? {} : { success, successInterval };
  return { mean, std, episodes: count, interval, ...succeeded, ...(unfinished ? { unfinished } : {}) };
}

/** The return of an agent that was not evaluated. */
const unmeasured: Returns = { mean: Number.NaN, std: Number.NaN, episodes: 0 };

function unlessInterrupted(error: unknown): undefined {
  if (!(error instanceof Interrupted)) throw error;
}

function goalOf({ options: { env } }: Run): number {
  return (
    env.spec.solvedAt ??
    fail(env.spec.id, "the environment does not define solvedAt. Omit `solved` and set the number of steps.")
  );
}

function returnsOf(metrics: Metrics): Returns {
  const { episodes = 0 } = metrics;
  return {
    mean: metrics["return/mean"] ?? Number.NaN,
    std: metrics["return/std"] ?? Number.NaN,
    episodes: Math.min(100, episodes),
  };
}
