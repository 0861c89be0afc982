import { useState } from "preact/hooks";
import type { Marks, RunDetail } from "../../../src/wire.ts";
import { ofRun, send } from "../../api.ts";
import { Notice } from "../../parts/notice.tsx";
import { Scroll } from "../../parts/scroll.tsx";
import { settingText } from "../../parts/setting-text.ts";
import { bytes, compact } from "../../words.ts";
import { Events } from "./events.tsx";

/** What a run is: its settings, how to have it again, its checkpoints, what was noted. */
export function Overview({ run, again }: { run: RunDetail; again(): void }) {
  const { options = {}, envOptions = {}, ...rest } = run.config as Record<string, Record<string, unknown>>;
  return (
    <>
      <Diagnosis run={run} />
      <Events run={run} />
      <Notes run={run} again={again} />
      <section class="panel">
        <h2>The same run again</h2>
        <pre class="command">{run.reproduce}</pre>
        {typeof run.config.commit === "string" && (
          <p class="soft">
            At commit <code>{run.config.commit}</code>, Reins {String(run.config.reins)}
          </p>
        )}
      </section>
      <div class="two">
        <Table title="Settings" values={options} />
        <div>
          {Object.keys(envOptions).length > 0 && <Table title="Environment" values={envOptions} />}
          <Table title="The run" values={rest} />
          {run.summary && <Table title="How it ended" values={run.summary} />}
          <section class="panel">
            <h2>Checkpoints</h2>
            {run.checkpoints.length === 0 && <p class="soft">None yet.</p>}
            <ul>
              {run.checkpoints.map(({ steps, bytes: size }) => (
                <li key={steps}>
                  {compact(steps)} steps <span class="soft">{bytes(size)}</span>
                </li>
              ))}
            </ul>
          </section>
        </div>
      </div>
    </>
  );
}

interface Finding {
  readonly name: string;
  /** What was seen, what to try, and how sure it is. */
  readonly saw: string;
  readonly fix: string;
  readonly confidence: number;
}

function Diagnosis({ run }: { run: RunDetail }) {
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

function Notes({ run, again }: { run: RunDetail; again(): void }) {
  const [note, setNote] = useState(run.note);
  const [tags, setTags] = useState(run.tags.join(", "));
  const [error, setError] = useState<string>();
  const changed = note !== run.note || tags !== run.tags.join(", ");
  const save = async () => {
    try {
      const kept = await send<Marks>("PUT", ofRun(run.name, "marks"), { note, tags: tags.split(",") });
      setTags(kept.tags.join(", "));
      setError(undefined);
      again();
    } catch (e) {
      setError((e as Error).message);
    }
  };
  return (
    <section class="panel">
      <h2>Notes</h2>
      {error && <Notice bad>{error}</Notice>}
      <textarea
        rows={3}
        aria-label="A note about this run"
        placeholder="What was this run for? What came out?"
        value={note}
        onInput={(e) => setNote(e.currentTarget.value)}
      />
      <div class="row" style={{ marginTop: "8px" }}>
        <input
          aria-label="Tags, with commas between them"
          placeholder="tags, with, commas"
          value={tags}
          onInput={(e) => setTags(e.currentTarget.value)}
        />
        <button type="button" class={changed ? "main" : ""} disabled={!changed} onClick={save}>
          Keep
        </button>
      </div>
    </section>
  );
}

const Table = ({ title, values }: { title: string; values: Readonly<Record<string, unknown>> }) => (
  <Scroll title={title}>
    <table>
      <tbody>
        {Object.entries(values).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="mono">{settingText(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
);
