import type { RunDetail, StartPlan, StartRequest } from "@reins/studio/wire";
import { useEffect, useState } from "preact/hooks";
import { ofRun, send } from "../../api.ts";
import { Command } from "../../parts/command.tsx";
import { Notice } from "../../parts/notice.tsx";
import { href } from "../../route.ts";
import { settingsIn } from "./changed-settings.ts";
import { stepUnit } from "./step-unit.ts";

/** Resumes a run from its latest checkpoint, or extends one that has finished. */
export function ResumeForm({ run }: { run: RunDetail }) {
  const isDone = run.state === "finished";
  const [steps, setSteps] = useState(String(isDone ? 2 * Math.max(run.budget, run.steps) : run.budget));
  const wanted = Number(steps);
  const isWhole = /^\d+$/.test(steps) && wanted > 0;
  return (
    <>
      <label>
        Total {stepUnit(run)}
        <input
          type="text"
          inputMode="numeric"
          value={steps}
          onInput={(e) => setSteps(e.currentTarget.value.trim())}
        />
      </label>
      {isDone && (
        <p class="soft">The run has finished. A larger total extends it and stretches its schedules.</p>
      )}
      <Start
        run={run.name}
        label="Resume"
        request={isWhole ? { do: "resume", ...(wanted === run.budget ? {} : { steps: wanted }) } : undefined}
        problem={isWhole ? undefined : `"${steps}" is not a whole number above 0.`}
      />
    </>
  );
}

/** Trains a new run with the command of another, with a chosen seed and changed settings. */
export function TrainForm({ run }: { run: RunDetail }) {
  const [seed, setSeed] = useState(String(run.seed + 1));
  const [text, setText] = useState("");
  const changed = settingsIn(text);
  const isWhole = /^\d+$/.test(seed);
  const problem = isWhole ? changed.problem : `"${seed}" is not a seed. Use a whole number.`;
  return (
    <>
      <label>
        Seed
        <input
          type="text"
          inputMode="numeric"
          value={seed}
          onInput={(e) => setSeed(e.currentTarget.value.trim())}
        />
      </label>
      <label class="block">
        Changed settings
        <input
          type="text"
          placeholder="learningRate=1e-3 clip=0.1"
          spellcheck={false}
          value={text}
          onInput={(e) => setText(e.currentTarget.value)}
        />
      </label>
      <Start
        run={run.name}
        label="Train"
        request={problem ? undefined : { do: "train", seed: Number(seed), settings: changed.settings }}
        problem={problem}
      />
    </>
  );
}

/** Shows the command of a request, and starts it. */
function Start(props: { run: string; label: string; request?: StartRequest; problem?: string }) {
  const { run, label, request, problem } = props;
  const [plan, setPlan] = useState<StartPlan>();
  const [error, setError] = useState<string>();
  const [state, setState] = useState<"idle" | "starting" | { name: string }>("idle");
  const asked = JSON.stringify(request);
  useEffect(() => {
    setError(undefined);
    if (!request) return setPlan(undefined);
    let over = false;
    const timer = setTimeout(() => {
      send<StartPlan>("POST", ofRun(run, "plan"), request).then(
        (found) => over || setPlan(found),
        (e: Error) => {
          if (over) return;
          setPlan(undefined);
          setError(e.message);
        },
      );
    }, 200);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [run, asked]);
  const start = () => {
    setState("starting");
    setError(undefined);
    send<{ name: string }>("POST", ofRun(run, "start"), request).then(setState, (e: Error) => {
      setState("idle");
      setError(e.message);
    });
  };
  return (
    <>
      {plan && <Command text={plan.command} />}
      {plan && plan.code.length > 0 && !plan.refused && (
        <Notice>This runs your own code: {plan.code.join(", ")}.</Notice>
      )}
      {plan?.refused && <Notice bad>{plan.refused}</Notice>}
      {problem && <Notice bad>{problem}</Notice>}
      {error && <Notice bad>{error}</Notice>}
      {typeof state === "object" ? (
        <Notice>
          Started. <a href={href(["run", state.name])}>Open {state.name}</a>
        </Notice>
      ) : (
        <p>
          <button
            type="button"
            class="main"
            disabled={!plan || plan.refused !== undefined || state === "starting"}
            onClick={start}
          >
            {state === "starting" ? "Starting …" : label}
          </button>
        </p>
      )}
    </>
  );
}
