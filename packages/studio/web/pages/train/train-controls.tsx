import { useEffect, useRef, useState } from "preact/hooks";
import { paceOf, type TrainTask, taskOf, unitOf } from "../../train/tasks.ts";
import { isBusy, type Trainer } from "../../train/trainer.ts";
import { compact } from "../../words.ts";
import { Speed } from "./speed.tsx";
import { TrainState } from "./train-state.tsx";

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
  // As fast as one can see it learn, unless somebody has chosen.
  const [wanted, setWanted] = useState<number | null>();
  useEffect(() => setWanted(undefined), [task.id]);
  const stepsPerSecond = here ? trainer.stepsPerSecond : wanted === undefined ? paceOf(task) : wanted;
  // What would throw something away, until the person has said that it may.
  const [wished, setWished] = useState<() => void>();
  const file = useRef<HTMLInputElement>(null);
  const how = { seed, stepsPerSecond, ...(steps ? { steps } : {}) };
  const carefully = (act: () => void) => (trainer.unsaved ? setWished(() => act) : act());
  const begin = () => carefully(() => trainer.begin({ ...how, task: task.id }));
  const load = async (chosen: File) => {
    const from = new Uint8Array(await chosen.arrayBuffer());
    carefully(() => trainer.load({ ...how, from }, chosen.name));
  };
  const tell = (order: "more" | "go" | "pause" | "stop" | "save") => () => trainer.tell({ do: order });
  const busy = here && isBusy(phase);
  const over = here && (phase === "finished" || phase === "stopped" || phase === "loaded");
  return (
    <section class="panel" aria-label="Training">
      <div class="row">
        {over && <Action main label={phase === "loaded" ? "Train on" : "Go on"} act={tell("more")} />}
        {!busy && <Action main={!over} label={over ? "Begin anew" : "Train"} act={begin} />}
        {busy &&
          (phase === "paused" ? (
            <Action main label="Go on" act={tell("go")} />
          ) : (
            <Action label="Pause" act={tell("pause")} disabled={phase === "preparing"} />
          ))}
        {busy && (
          <button type="button" class="danger" onClick={tell("stop")}>
            Stop
          </button>
        )}
        {here && (progress || phase === "loaded") && (
          <Action
            label="Measure"
            about={
              task.pace > 0
                ? `Plays ${fresh} fresh episodes with its best actions`
                : `Asks ${fresh} problems that it never learns from`
            }
            act={() => trainer.tell({ do: "measure", episodes: fresh, seed: 0 })}
          />
        )}
        {here && progress && <Action label="Save" act={tell("save")} />}
        <Action
          label="Load"
          about="An agent that was saved, here or in Node. It plays, and learns on when you say so."
          act={() => file.current!.click()}
        />
        <input
          ref={file}
          type="file"
          hidden
          accept=".agent,.tar"
          aria-label="The file of an agent"
          onChange={(e) => {
            const [chosen] = e.currentTarget.files ?? [];
            e.currentTarget.value = "";
            if (chosen) void load(chosen);
          }}
        />
        <span class="space" />
        <Speed
          task={task}
          value={stepsPerSecond}
          change={(n) => (here ? trainer.tell({ do: "pace", stepsPerSecond: n }) : setWanted(n))}
        />
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
      {wished && (
        <Question
          trainer={trainer}
          yes={() => {
            setWished(undefined);
            wished();
          }}
          no={() => setWished(undefined)}
        />
      )}
      {here && <TrainState task={task} trainer={trainer} />}
    </section>
  );
}

const Action = (props: {
  label: string;
  about?: string;
  main?: boolean;
  disabled?: boolean;
  act(): void;
}) => (
  <button
    type="button"
    class={props.main ? "main" : ""}
    title={props.about}
    onClick={props.act}
    disabled={props.disabled}
  >
    {props.label}
  </button>
);

/** Whether what was learned may be thrown away. */
function Question({ trainer, yes, no }: { trainer: Trainer; yes(): void; no(): void }) {
  const task = taskOf(trainer.task!)!;
  return (
    <div class="row question" role="alert">
      <span>
        {task.title} has learned from {compact(trainer.steps)} {unitOf(task)}, and that is not saved. It would
        be lost.
      </span>
      <Action label="Throw it away" act={yes} />
      <Action main label="Keep it" act={no} />
    </div>
  );
}
