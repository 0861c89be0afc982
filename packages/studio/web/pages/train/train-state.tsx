import { scoreOf, type TrainTask, unitOf } from "../../train/tasks.ts";
import type { Phase, Trainer } from "../../train/trainer.ts";
import { compact, short } from "../../words.ts";

const phases: Readonly<Record<Phase, string>> = {
  idle: "Ready",
  preparing: "Compiles …",
  loaded: "Plays, and does not learn",
  training: "Learns",
  paused: "Paused",
  finished: "Has learned",
  stopped: "Stopped",
  failed: "Failed",
};

/** How far a training is, and what it has come to. */
export function TrainState({ task, trainer }: { task: TrainTask; trainer: Trainer }) {
  const { phase, progress, measured, before } = trainer;
  const [steps, budget] = [before + (progress?.steps ?? 0), before + (progress?.budget ?? 0)];
  const share = progress ? Math.min(1, steps / budget) : 0;
  const unit = unitOf(task);
  // The end of the curve, so that there are no two answers to one question.
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
            {phase === "training" && `, ${compact(progress.stepsPerSecond)} a second`}
          </span>
        ) : (
          before > 0 && (
            <span class="soft">
              it has learned from {compact(before)} {unit}
            </span>
          )
        )}
        {score !== undefined && (
          <span class="soft">
            {task.pace > 0 ? "return" : "right answers"} <b data-return>{short(score)}</b>
            {task.pace > 0 ? "" : " %"}
          </span>
        )}
        {measured && (
          <span class="soft" title={`Measured after ${compact(measured.at)} ${unit}`}>
            {measured.episodes} fresh {task.pace > 0 ? "episodes" : "problems"}{" "}
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
