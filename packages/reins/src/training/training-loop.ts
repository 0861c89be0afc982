import { advance, type Hooks, waiting } from "./loop.ts";
import { duringEvaluation, type TrainingSession } from "./training-session.ts";

/** Trains until the budget is used up, the environment is solved or the run is stopped. */
export async function trainingLoop(
  session: TrainingSession,
  solvedAt: number,
  isOver: boolean,
  step?: Hooks["step"],
): Promise<void> {
  const { run, remote, evaluations } = session;
  const { progressEvery = 250 } = session.options;
  // A run that was killed after it was solved does not continue.
  if (isSolved(session, solvedAt) || isOver) return;
  const report = () => reportProgress(session);
  await advance(run, {
    step,
    every: progressEvery,
    urgent: () => remote?.isAsked === true,
    round() {
      const evaluation = evaluations?.due();
      if (!evaluation) return afterRound(session, solvedAt);
      return duringEvaluation(session, evaluation).then(({ found, metrics }) => {
        // Before a checkpoint of this step, so that a resumed run keeps it.
        session.writer?.evaluated(metrics);
        session.sinks?.evaluated(metrics);
        session.listeners.evaluation(found);
        return afterRound(session, solvedAt);
      });
    },
    pause() {
      session.reportedStep = run.steps;
      const goesOn = report();
      return remote?.paused && goesOn ? waiting(report, () => remote.paused, progressEvery) : goesOn;
    },
  });
}

/** Whether the mean return has reached this value. By rounds and not by the clock, so that the same seed stops at the same step. */
function isSolved(session: TrainingSession, solvedAt: number): boolean {
  const { metrics } = session.run;
  if (metrics["return/mean"] >= solvedAt && metrics.episodes >= 100) session.ended = "solved";
  return session.ended === "solved";
}

/** Reports progress and handles commands; false if the run is to end. */
function reportProgress(session: TrainingSession): boolean {
  const { remote, watch, listeners, options } = session;
  const progress = watch.look(remote?.paused);
  remote?.serve(progress);
  if (remote) remote.isAsked = false;
  const answer = options.onProgress?.(progress);
  listeners.follow(answer);
  if (answer !== false && !remote?.stopping) return true;
  session.ended = "stopped";
  return false;
}

/** Calls the callbacks and writes what is due after a round; false if the run is to end. */
function afterRound(session: TrainingSession, solvedAt: number): boolean | Promise<boolean> {
  const { run, listeners } = session;
  listeners.update(run);
  const working = listeners.settled();
  return working ? working.then(() => writeRound(session, solvedAt)) : writeRound(session, solvedAt);
}

function writeRound(session: TrainingSession, solvedAt: number): boolean {
  const { writer, sinks, listeners } = session;
  writer?.round();
  sinks?.round();
  if (listeners.saving) writer?.save();
  listeners.saving = false;
  if (listeners.stopping) session.ended = "stopped";
  return !isSolved(session, solvedAt) && !listeners.stopping;
}
