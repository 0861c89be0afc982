import type { RunDetail } from "@reins/studio/wire";
import { useRef, useState } from "preact/hooks";
import type { RemoteCommand, RunState } from "reins/core/directory";
import { ofRun, send } from "../../api.ts";
import { compact, duration, short } from "../../format.ts";
import { hasEffect } from "../../parts/has-effect.ts";
import { Notice } from "../../parts/notice.tsx";
import { usePoll } from "../../use-poll.ts";
import { SettingSlider } from "./setting-slider.tsx";
import { stepUnit } from "./step-unit.ts";

/** Shown until the run answers, between two updates. */
const doing: Readonly<Partial<Record<RemoteCommand["do"], string>>> = {
  pause: "Pausing after this update",
  go: "Continuing",
  save: "Saving after this update",
  stop: "Stopping after this update",
};

function wordsFor(command: RemoteCommand, at: string): string {
  switch (command.do) {
    case "set":
      return `${command.setting} is ${short(command.value)} from ${at} on.`;
    case "pause":
      return `Paused at ${at}.`;
    case "go":
      return `Continues from ${at}.`;
    case "save":
      return `Saved at ${at}. If the run is interrupted, it can be resumed from there.`;
    default:
      return `Stops at ${at}. It can be resumed later.`;
  }
}

type Answer = { readonly done: string; readonly state: RunState | null };

/** Progress and controls of a run in training. The last known state is shown while the run is busy. */
export function Controls({ run, again }: { run: RunDetail; again(): void }) {
  const ask = (command: RemoteCommand) => send<Answer>("POST", ofRun(run.name, "command"), command);
  const { value, again: poll, take } = usePoll(() => ask({ do: "status" }), run.name, 1000);
  const [said, setSaid] = useState<{ text: string; bad?: boolean }>();
  const [open, setOpen] = useState(false);
  const last = useRef<RunState | null>(null);
  if (value?.state) last.current = value.state;
  const state = value?.state ?? last.current;
  const [busy, setBusy] = useState<string>();
  const unit = stepUnit(run);
  const order = async (command: RemoteCommand) => {
    setBusy(doing[command.do]);
    setSaid(undefined);
    try {
      const answer = await ask(command);
      take(answer);
      setSaid({ text: wordsFor(command, `${compact(answer.state?.steps ?? run.steps)} ${unit}`) });
    } catch (e) {
      poll();
      setSaid({ text: (e as Error).message, bad: true });
    }
    setBusy(undefined);
    again();
  };
  const options = (run.config.options ?? {}) as Record<string, unknown>;
  const movable = Object.entries(state?.settings ?? {}).filter(([name]) => hasEffect(name, options));
  const steps = state?.steps ?? run.steps;
  const share = run.budget > 0 ? Math.min(1, steps / run.budget) : 0;
  const speed = state?.stepsPerSecond ?? run.stepsPerSecond;
  return (
    <section class="panel" aria-label="Controls">
      <div class="row">
        <b>
          {state?.evaluating
            ? "Evaluating"
            : state?.paused
              ? "Paused"
              : `${(100 * share).toFixed(share < 0.1 ? 1 : 0)}%`}
        </b>
        <span class="soft">
          {compact(steps)} of {compact(run.budget)} {unit}
          {speed !== null && speed > 0 && `, ${compact(speed)} per second`}
          {!state?.paused && run.left !== null && `, ${duration(run.left)} left`}
        </span>
        <span class="soft">return {short(state?.return ?? run.return)}</span>
        <span class="space" />
        {busy && <span class="soft">{busy} …</span>}
        <span class="row">
          {state?.paused ? (
            <button type="button" class="main" onClick={() => order({ do: "go" })}>
              Continue
            </button>
          ) : (
            <button
              type="button"
              onClick={() => order({ do: "pause" })}
              disabled={!state || busy !== undefined}
            >
              Pause
            </button>
          )}
          <button type="button" onClick={() => order({ do: "save" })} disabled={!state || busy !== undefined}>
            Save
          </button>
          <button
            type="button"
            class="danger"
            onClick={() => order({ do: "stop" })}
            disabled={!state || busy !== undefined}
          >
            Stop
          </button>
        </span>
      </div>
      <div class="progress" style={{ marginTop: "10px" }}>
        <div style={{ width: `${100 * share}%` }} />
      </div>
      {said && (
        <div style={{ marginTop: "12px" }}>
          <Notice bad={said.bad}>{said.text}</Notice>
        </div>
      )}
      {state?.evaluating && (
        <p class="soft" style={{ marginTop: "8px" }}>
          Evaluating the agent. Changes and commands take effect when training continues; Save waits for it.
        </p>
      )}
      {value && !value.state && (
        <p class="soft">
          {state ? "No answer from the run yet" : "The run cannot be controlled from here"}: {value.done}
        </p>
      )}
      {movable.length > 0 && (
        <details open={open} onToggle={(e) => setOpen(e.currentTarget.open)} style={{ marginTop: "10px" }}>
          <summary>Settings that can be changed during training</summary>
          {open && (
            <div class="sliders">
              {movable.map(([name, now]) => (
                <SettingSlider
                  key={name}
                  name={name}
                  now={now}
                  begun={options[name]}
                  set={(value) => order({ do: "set", setting: name, value })}
                />
              ))}
            </div>
          )}
        </details>
      )}
    </section>
  );
}
