import { useRef, useState } from "preact/hooks";
import type { TrainTask } from "../../train/tasks.ts";
import { isBusy, type Phase, type Trainer } from "../../train/trainer.ts";
import { compact, short } from "../../words.ts";

/** Steps a second that one may slow it down to, to see it learn. */
const paces = [300, 1000, 3000, 10_000];

/** Episodes, or problems, that it is measured by. */
const fresh = 20;

const phases: Readonly<Record<Phase, string>> = {
  idle: "Ready",
  preparing: "Compiles …",
  training: "Learns",
  paused: "Paused",
  finished: "Has learned",
  stopped: "Stopped",
  failed: "Failed",
};

/**
 * Begins, pauses, ends, saves and loads. `here` says whether what learns is the task that is looked at, `steps` how many are taken, if
 * that is another number than the task's own.
 */
export function TrainControls(props: { task: TrainTask; trainer: Trainer; here: boolean; steps?: number }) {
  const { task, trainer, here, steps } = props;
  const { phase, progress, measured } = trainer;
  const [seed, setSeed] = useState(1);
  const [pace, setPace] = useState("");
  const file = useRef<HTMLInputElement>(null);
  const stepsPerSecond = pace === "" ? null : Number(pace);
  const begin = (from?: Uint8Array) => {
    trainer.begin({ seed, ...(steps ? { steps } : {}), ...(from ? { from } : { task: task.id }) });
    if (stepsPerSecond !== null) trainer.tell({ do: "pace", stepsPerSecond });
  };
  const busy = here && isBusy(phase);
  const over = here && (phase === "finished" || phase === "stopped");
  const share = here && progress ? Math.min(1, progress.steps / progress.budget) : 0;
  return (
    <section class="panel" aria-label="Training">
      <div class="row">
        {!busy && (
          <button type="button" class="main" onClick={() => begin()}>
            {over || (here && phase === "failed") ? "Begin anew" : "Train"}
          </button>
        )}
        {over && (
          <button type="button" onClick={() => trainer.tell({ do: "more" })}>
            Go on
          </button>
        )}
        {busy &&
          (phase === "paused" ? (
            <button type="button" class="main" onClick={() => trainer.tell({ do: "go" })}>
              Go on
            </button>
          ) : (
            <button
              type="button"
              onClick={() => trainer.tell({ do: "pause" })}
              disabled={phase === "preparing"}
            >
              Pause
            </button>
          ))}
        {busy && (
          <button type="button" class="danger" onClick={() => trainer.tell({ do: "stop" })}>
            Stop
          </button>
        )}
        {here && progress && (
          <>
            <button
              type="button"
              title={`Plays ${fresh} fresh episodes with its best actions`}
              onClick={() => trainer.tell({ do: "measure", episodes: fresh, seed: 0 })}
            >
              Measure
            </button>
            <button type="button" onClick={() => trainer.tell({ do: "save" })}>
              Save
            </button>
          </>
        )}
        <button type="button" onClick={() => file.current!.click()}>
          Load
        </button>
        <input
          ref={file}
          type="file"
          hidden
          accept=".agent,.tar"
          aria-label="The file of an agent"
          onChange={async (e) => {
            const [chosen] = e.currentTarget.files ?? [];
            e.currentTarget.value = "";
            if (chosen) begin(new Uint8Array(await chosen.arrayBuffer()));
          }}
        />
        <span class="space" />
        <label>
          Speed
          <select
            value={pace}
            onChange={(e) => {
              const value = e.currentTarget.value;
              setPace(value);
              trainer.tell({ do: "pace", stepsPerSecond: value === "" ? null : Number(value) });
            }}
          >
            <option value="">as fast as it can</option>
            {paces.map((n) => (
              <option key={n} value={n}>
                {compact(n)} steps/s
              </option>
            ))}
          </select>
        </label>
        <label>
          Seed
          <input
            type="number"
            class="seed"
            min={0}
            step={1}
            value={seed}
            onChange={(e) => setSeed(Math.max(0, Math.floor(Number(e.currentTarget.value)) || 0))}
          />
        </label>
      </div>
      {here && (
        <>
          <p
            class="row train-state"
            role="status"
            aria-live="off"
            data-steps={progress?.steps}
            data-seconds={progress?.seconds}
          >
            <b data-phase={phase}>{phases[phase]}</b>
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
      )}
    </section>
  );
}
