import type { RunDetail } from "@reins/studio/wire";
import { useState } from "preact/hooks";
import { ofRun, send } from "../../api.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Notice } from "../../parts/notice.tsx";
import { commandsIn } from "./commands-in.ts";
import { tryCommand } from "./try-command.ts";

/** One finding of `reins diagnose --json`. */
interface Finding {
  readonly name: string;
  /** What was measured. */
  readonly saw: string;
  /** What to try. */
  readonly fix: string;
  /** Other observations that follow from this one. */
  readonly explains?: readonly { readonly name: string; readonly saw: string }[];
  readonly confidence: number;
}

interface State {
  readonly busy?: boolean;
  readonly found?: readonly Finding[];
  readonly error?: string;
}

/** The last diagnosis of each run, kept while other tabs are open. */
const last = new Map<string, State>();

/** Diagnoses a run on request. */
export function Diagnosis({ run }: { run: RunDetail }) {
  const [state, setState] = useState<State>(last.get(run.name) ?? {});
  const keep = (next: State) => {
    last.set(run.name, next);
    setState(next);
  };
  const look = async () => {
    setState({ busy: true });
    try {
      keep({ found: (await send<{ findings: Finding[] }>("POST", ofRun(run.name, "diagnosis"))).findings });
    } catch (e) {
      keep({ error: (e as Error).message });
    }
  };
  return (
    <section class="panel diagnosis" aria-label="Diagnosis">
      <div class="row">
        <h2>Diagnosis</h2>
        <span class="soft">
          Restores the last checkpoint, collects one rollout and checks for common faults.
        </span>
        <span class="space" />
        <button type="button" onClick={look} disabled={state.busy}>
          {state.busy ? "Diagnosing …" : state.found ? "Diagnose again" : "Diagnose"}
        </button>
      </div>
      {state.error && <Notice bad>{state.error}</Notice>}
      {state.found?.length === 0 && <p>No faults found. If learning is too slow, tune the settings.</p>}
      {state.found?.length === 0 && <Command text="reins tune" />}
      {state.found && state.found.length > 0 && (
        <ul>
          {state.found.map((finding) => (
            <One key={finding.name} run={run} finding={finding} />
          ))}
        </ul>
      )}
    </section>
  );
}

function One({ run, finding }: { run: RunDetail; finding: Finding }) {
  const { name, saw, fix, explains = [], confidence } = finding;
  const typed = name.toLowerCase().replaceAll(" ", "-");
  const found = commandsIn(fix);
  const commands = found.length > 0 ? found : [tryCommand(run, fix)].filter((c) => c !== undefined);
  return (
    <li>
      <b>{name}</b> <span class="soft">{Math.round(100 * confidence)}% confidence</span>
      <p>{saw}</p>
      <p>
        <b>Try:</b> {fix.split("`").map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}
      </p>
      {commands.map((text) => (
        <Command key={text} text={text} />
      ))}
      {explains.map((other) => (
        <p key={other.name} class="soft">
          Explains {other.name}: {other.saw}
        </p>
      ))}
      <p class="soft">
        More: <code>reins diagnose --explain {typed}</code>{" "}
        <CopyButton
          text={`npx reins diagnose --explain ${typed}`}
          label={`Copy the command that explains ${name}`}
        />
      </p>
    </li>
  );
}

const Command = ({ text }: { text: string }) => (
  <p class="row">
    <code class="command">{text}</code>
    <CopyButton text={text} label={`Copy ${text}`} />
  </p>
);
