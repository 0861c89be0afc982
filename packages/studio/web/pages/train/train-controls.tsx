import { useRef, useState } from "preact/hooks";
import type { TrainTask } from "../../train/tasks.ts";
import { isBusy, type Trainer } from "../../train/trainer.ts";
import { compact } from "../../words.ts";
import { TrainState } from "./train-state.tsx";

/** Steps a second that one may slow it down to, to see it learn. */
const paces = [300, 1000, 3000, 10_000];

/** Episodes, or problems, that it is measured by. */
const fresh = 20;

/**
 * Begins, pauses, ends, saves and loads. `here` says whether what learns is the task that is looked at, `steps` how many are taken, if
 * that is another number than the task's own.
 */
export function TrainControls(props: { task: TrainTask; trainer: Trainer; here: boolean; steps?: number }) {
  const { task, trainer, here, steps } = props;
  const { phase, progress } = trainer;
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
      {here && <TrainState task={task} trainer={trainer} />}
    </section>
  );
}
