import { useState } from "preact/hooks";
import type { RunDetail } from "../../../src/wire.ts";
import { ofRun, send } from "../../api.ts";
import { Notice } from "../../parts/notice.tsx";

interface Finding {
  readonly name: string;
  /** What was seen, what to try, and how sure it is. */
  readonly saw: string;
  readonly fix: string;
  readonly confidence: number;
}

/** What is probably wrong with a run, when somebody asks for it. */
export function Diagnosis({ run }: { run: RunDetail }) {
  const [state, setState] = useState<{ busy?: boolean; found?: readonly Finding[]; error?: string }>({});
  const look = async () => {
    setState({ busy: true });
    try {
      setState({
        found: (await send<{ findings: Finding[] }>("POST", ofRun(run.name, "diagnosis"))).findings,
      });
    } catch (e) {
      setState({ error: (e as Error).message });
    }
  };
  return (
    <section class="panel">
      <div class="row">
        <h2>Diagnosis</h2>
        <span class="soft">
          Brings the run back from its last checkpoint and looks for what is probably wrong.
        </span>
        <span class="space" />
        <button type="button" onClick={look} disabled={state.busy}>
          {state.busy ? "Looking …" : "Look for faults"}
        </button>
      </div>
      {state.error && <Notice bad>{state.error}</Notice>}
      {state.found?.length === 0 && (
        <p>Nothing looks wrong. If it learns too slowly, search for settings: reins tune.</p>
      )}
      <ul>
        {state.found?.map(({ name, saw, fix, confidence }) => (
          <li key={name}>
            <b>{name}</b> <span class="soft">{Math.round(100 * confidence)}% sure</span>
            <p>{saw}</p>
            <p>{fix}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
