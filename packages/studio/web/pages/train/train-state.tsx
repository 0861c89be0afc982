import type { TrainTask } from "../../train/tasks.ts";
import type { Phase, Trainer } from "../../train/trainer.ts";
import { compact, short } from "../../words.ts";

const phases: Readonly<Record<Phase, string>> = {
  idle: "Ready",
  preparing: "Compiles …",
  training: "Learns",
  paused: "Paused",
  finished: "Has learned",
  stopped: "Stopped",
  failed: "Failed",
};

/** How far a training is, and what it has come to. */
export function TrainState({ task, trainer }: { task: TrainTask; trainer: Trainer }) {
  const { phase, progress, measured } = trainer;
  const share = progress ? Math.min(1, progress.steps / progress.budget) : 0;
  return (
    <>
      <p class="row train-state" data-steps={progress?.steps} data-seconds={progress?.seconds}>
        <b data-phase={phase} role="status">
          {phases[phase]}
        </b>
        {progress && (
          <>
            <span class="soft">
              {compact(progress.steps)} of {compact(progress.budget)} {task.pace > 0 ? "steps" : "tokens"}
              {phase === "training" && `, ${compact(progress.stepsPerSecond)} a second`}
            </span>
            <span class="soft">
              {task.pace > 0 ? "return" : "right"} <b data-return>{short(progress.return)}</b>
            </span>
          </>
        )}
        {measured && (
          <span class="soft" title={`Measured after ${compact(measured.at)} steps`}>
            {measured.episodes} fresh {task.pace > 0 ? "episodes" : "problems"}{" "}
            <b data-measured={measured.mean}>{short(measured.mean)}</b>
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
