import type { RunDetail } from "../../../src/wire.ts";
import { Scroll } from "../../parts/scroll.tsx";
import { settingText } from "../../parts/setting-text.ts";
import { bytes, compact } from "../../words.ts";
import { movedIn, useEvents } from "./by-hand.ts";
import { Diagnosis } from "./diagnosis.tsx";
import { Events } from "./events.tsx";
import { Notes } from "./notes.tsx";
import { flat, typedForEnv, typedIn } from "./setting-rows.ts";

/** What a run is: its settings, how to have it again, its checkpoints, what was noted. */
export function Overview({ run, again }: { run: RunDetail; again(): void }) {
  const { options = {}, envOptions = {}, ...rest } = run.config as Record<string, Record<string, unknown>>;
  const events = useEvents(run);
  const moved = movedIn(events);
  return (
    <>
      <Diagnosis run={run} />
      <Events run={run} events={events} />
      <Notes run={run} again={again} />
      <section class="panel">
        <h2>The same run again</h2>
        {run.reproduce === undefined ? (
          <p>A program made it, and makes it again when it is run.</p>
        ) : (
          <pre class="command">{run.reproduce}</pre>
        )}
        {moved.length > 0 && (
          <p>
            It was changed by hand while it ran ({moved.join(", ")}; see the log): that does not come again by
            itself.
          </p>
        )}
        {typeof run.config.commit === "string" && (
          <p class="soft">
            At commit <code>{run.config.commit}</code>, Reins {String(run.config.reins)}
          </p>
        )}
      </section>
      <div class="two">
        <Table title="Settings" values={options} typed={typedIn(run.config.command, run.algorithm)} />
        <div>
          {Object.keys(envOptions).length > 0 && (
            <Table title="Environment" values={envOptions} typed={typedForEnv(run.config.command)} />
          )}
          <Table title="The run" values={rest} />
          {run.summary && <Table title="How it ended" values={flat(run.summary)} />}
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

const Table = (props: {
  title: string;
  values: Readonly<Record<string, unknown>>;
  typed?: ReadonlySet<string>;
}) => (
  <Scroll title={props.title}>
    <table>
      <tbody>
        {Object.entries(props.values).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">
              {name}
              {props.typed?.has(name) && <span class="tag typed">typed</span>}
            </th>
            <td class="mono">{settingText(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
);
