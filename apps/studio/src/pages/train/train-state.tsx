import { compact, short } from "../../format.ts";
import { scoreOf, type TrainTask, unitOf } from "../../train/tasks.ts";
import type { Phase, Trainer } from "../../train/trainer.ts";

const phases: Readonly<Record<Phase, string>> = {
  idle: "Ready",
  preparing: "Compiling …",
  loaded: "Playing, not training",
  training: "Training",
  paused: "Paused",
  finished: "Finished",
  stopped: "Stopped",
  failed: "Failed",
};

/** Progress and score of training. */
export function TrainState({ task, trainer }: { task: TrainTask; trainer: Trainer }) {
  const { phase, progress, measured, before } = trainer;
  const [steps, budget] = [before + (progress?.steps ?? 0), before + (progress?.budget ?? 0)];
  const share = progress ? Math.min(1, steps / budget) : 0;
  const unit = unitOf(task);
  // The last point of the curve, so that the two agree.
  const score = trainer.latest(scoreOf(task));
  return (
    <>
      <p class="row train-state" data-steps={progress?.steps} data-seconds={progress?.seconds}>
        <b data-phase={phase} role="status">
          {phases[phase]}
        </b>
        {progress ? (
          <span class="soft">
            {compact(steps)} of {compact(budget)} {unit}
            {phase === "training" && `, ${compact(progress.stepsPerSecond)} per second`}
          </span>
        ) : (
          before > 0 && (
            <span class="soft">
              trained for {compact(before)} {unit}
            </span>
          )
        )}
        {score !== undefined && (
          <span class="soft">
            {task.pace > 0 ? "return" : "accuracy"} <b data-return>{short(score)}</b>
            {task.pace > 0 ? "" : " %"}
          </span>
        )}
        {measured && (
          <span class="soft" title={`Evaluated after ${compact(measured.at)} ${unit}`}>
            {measured.episodes} evaluation {task.pace > 0 ? "episodes" : "problems"}{" "}
            <b data-measured={measured.mean}>
              {task.pace > 0 ? short(measured.mean) : `${short(100 * measured.mean)} %`}
            </b>
          </span>
        )}
        <span class="space" />
        <span class="soft">{task.goal}</span>
      </p>
      <div class="progress">
        <div style={{ width: `${100 * share}%` }} />
      </div>
    </>
  );
}
