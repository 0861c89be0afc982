import { type EvaluationResult, fail, type Run } from "@reins/core";
import { printable } from "@reins/core/errors";
import { type Agent, agentOf } from "../agents/agent.ts";
import { inspectAs } from "../agents/inspect.ts";
import { Listeners } from "./callbacks.ts";
import type { ContinueOptions } from "./continue-options.ts";
import { Evaluations } from "./evaluations.ts";
import { type Hooks, Interrupted, yieldEvery } from "./loop.ts";
import { Watch } from "./progress.ts";
import { Remote } from "./remote.ts";
import type { Trained } from "./result.ts";
import { evaluatedReturns, trainingReturns, unmeasured } from "./returns.ts";
import type { RunWriter } from "./run-writer.ts";
import { Sinks } from "./sinks.ts";
import { targetsIn, writeTargets } from "./targets.ts";
import { trainingLoop } from "./training-loop.ts";
import { duringEvaluation, type TrainingSession } from "./training-session.ts";
import { withCause } from "./with-cause.ts";

/** Trains a new or resumed run to the end of its budget, writes its files, and evaluates the agent. */
export async function runTraining(
  run: Run,
  keeper: RunWriter | undefined,
  options: ContinueOptions,
  began = performance.now(),
  listeners = new Listeners(options.callbacks),
  step?: Hooks["step"],
): Promise<Trained> {
  const agent = agentOf(run);
  const { evalEpisodes = keeper?.wishes.evalEpisodes ?? 100 } = options;
  const { solved: untilSolved = keeper?.wishes.solved } = options;
  const episodes = run.process.acting === undefined ? 0 : evalEpisodes;
  const session = openSession(run, agent, keeper, { ...options, evalEpisodes: episodes }, began, listeners);
  const { writer, watch, remote } = session;
  try {
    if (writer && remote) {
      writer.listen(remote);
      if (run.steps > 0)
        for (const change of writer.changes()) console.warn(printable(`${writer.path}: ${change}.`));
    }
    session.sinks = await Sinks.open(options.sinks ?? [], run, keeper);
    const solvedAt = untilSolved ? solvedReturn(run) : Number.POSITIVE_INFINITY;
    await trainingLoop(session, solvedAt, keeper?.isOver ?? false, step);
    remote?.end();
    const stepsPerSecond = watch.overall;
    // Reports the final progress, too.
    if (session.reportedStep !== run.steps) listeners.follow(options.onProgress?.(watch.look()));
    if (session.ended !== "finished") writer?.stop(session.ended === "solved");
    const training = trainingReturns(run.metrics);
    const found = await finalEvaluation(session, agent, episodes);
    if (found) listeners.evaluation(found);
    await listeners.settled();
    // Before the run counts as finished: a run that is killed here still has to write them.
    await writeTargets(agent, { ...writer?.targets, ...targetsIn(options) });
    const { ended } = session;
    const result = {
      return: found ? evaluatedReturns(found) : ended === "stopped" ? unmeasured : training,
      training,
      seconds: (performance.now() - began) / 1000,
      stepsPerSecond,
    };
    await session.sinks?.close(ended);
    writer?.finish(ended === "stopped" ? "stopped" : "finished", {
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
  } catch (failure) {
    const error = await withCause(run, failure);
    if (writer) writer.crash(error);
    else keeper?.close();
    await session.sinks?.close("crashed").catch(() => {});
    throw error;
  }
}

/** The session of a run, whose callbacks are attached. Without episodes there are no evaluations. */
function openSession(
  run: Run,
  agent: Agent,
  keeper: RunWriter | undefined,
  options: ContinueOptions & { readonly evalEpisodes: number },
  began: number,
  listeners: Listeners,
): TrainingSession {
  // Files of a finished run are not changed.
  const writer = keeper?.isOver ? undefined : keeper;
  const watch = new Watch(run, began);
  const yieldHook = yieldEvery(20, options.interrupted ?? (() => false));
  const { evalEpisodes: episodes, evalEvery: every = keeper?.wishes.evalEvery } = options;
  const evaluations =
    every === undefined || episodes === 0
      ? undefined
      : new Evaluations(run, agent, {
          every,
          episodes,
          yieldHook,
          spectator: () => writer?.spectator(),
        });
  listeners.attach(run);
  const remote = writer && new Remote(run, writer, () => watch.progress());
  const begun = { sinks: undefined, ended: "finished", reportedStep: -1 } as const;
  return { run, options, writer, watch, listeners, remote, evaluations, yieldHook, ...begun };
}

/** Evaluates the trained agent. An interruption stops the run, which is evaluated when it is resumed. */
async function finalEvaluation(
  session: TrainingSession,
  agent: Agent,
  episodes: number,
): Promise<EvaluationResult | undefined> {
  if (session.ended === "stopped" || episodes === 0) return undefined;
  const { yieldHook, run } = session;
  const { seed } = run.options;
  const spectator = session.writer?.spectator(true);
  try {
    return await duringEvaluation(session, agent.evaluate(episodes, { seed, yieldHook, spectator }));
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    session.ended = "stopped";
    return undefined;
  }
}

function solvedReturn({ options: { env } }: Run): number {
  return (
    env.spec.solvedAt ??
    fail(env.spec.id, "the environment does not define solvedAt. Omit `solved` and set the number of steps.")
  );
}
