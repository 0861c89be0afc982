import { useEffect, useRef, useState } from "preact/hooks";
import { compact } from "../../format.ts";
import { paceOf, type TrainTask, taskOf, unitOf } from "../../train/tasks.ts";
import { isBusy, type Trainer } from "../../train/trainer.ts";
import { Speed } from "./speed.tsx";
import { TrainState } from "./train-state.tsx";

/** Episodes, or problems, of an evaluation. */
const fresh = 20;

/** Buttons that train, pause, stop, evaluate, save and load. `here` says whether the trained task is the one shown; `steps` overrides the task's own. */
export function TrainControls(props: { task: TrainTask; trainer: Trainer; here: boolean; steps?: number }) {
  const { task, trainer, here, steps } = props;
  const { phase, progress } = trainer;
  const [seed, setSeed] = useState(1);
  // Undefined until the user chooses a speed.
  const [wanted, setWanted] = useState<number | null>();
  useEffect(() => setWanted(undefined), [task.id]);
  const stepsPerSecond = here ? trainer.stepsPerSecond : wanted === undefined ? paceOf(task) : wanted;
  // An action that discards unsaved training, until the user confirms it.
  const [pending, setPending] = useState<() => void>();
  const file = useRef<HTMLInputElement>(null);
  const how = { seed, stepsPerSecond, ...(steps ? { steps } : {}) };
  const carefully = (act: () => void) => (trainer.unsaved ? setPending(() => act) : act());
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
        {over && <Action main label="Continue training" act={tell("more")} />}
        {!busy && <Action main={!over} label={over ? "Start over" : "Train"} act={begin} />}
        {busy &&
          (phase === "paused" ? (
            <Action main label="Resume" act={tell("go")} />
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
            label="Evaluate"
            about={
              task.pace > 0
                ? `Runs ${fresh} evaluation episodes with greedy actions`
                : `Answers ${fresh} held-out problems`
            }
            act={() => trainer.tell({ do: "measure", episodes: fresh, seed: 0 })}
          />
        )}
        {here && progress && <Action label="Save" act={tell("save")} />}
        <Action
          label="Load"
          about="Loads an agent that was saved in this page or in Node"
          act={() => file.current!.click()}
        />
        <input
          ref={file}
          type="file"
          hidden
          accept=".agent,.tar"
          aria-label="Agent file"
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
      {pending && (
        <Question
          trainer={trainer}
          yes={() => {
            setPending(undefined);
            pending();
          }}
          no={() => setPending(undefined)}
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

/** Asks whether unsaved training may be discarded. */
function Question({ trainer, yes, no }: { trainer: Trainer; yes(): void; no(): void }) {
  const task = taskOf(trainer.task!)!;
  return (
    <div class="row question" role="alert">
      <span>
        {task.title} was trained for {compact(trainer.steps)} {unitOf(task)} and is not saved. Discard it?
      </span>
      <Action label="Discard" act={yes} />
      <Action main label="Cancel" act={no} />
    </div>
  );
}
