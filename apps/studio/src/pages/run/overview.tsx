import type { RunDetail } from "@reins/studio/wire";
import { settingText } from "@reins/studio/wire";
import { bytes, compact } from "../../format.ts";
import { Command } from "../../parts/command.tsx";
import { Scroll } from "../../parts/scroll.tsx";
import { Events } from "./events.tsx";
import { movedIn, useEvents } from "./manual-changes.ts";
import { Notes } from "./notes.tsx";
import { flat, typedForEnv, typedIn } from "./setting-rows.ts";
import { isUsed } from "./used-settings.ts";

/** The log and notes of a run, the command that repeats it, its settings and checkpoints. */
export function Overview({ run, again }: { run: RunDetail; again(): void }) {
  const { options = {}, envOptions = {}, ...rest } = run.config as Record<string, Record<string, unknown>>;
  const events = useEvents(run);
  const moved = movedIn(events);
  const typed = typedIn(run.config.command, run.algorithm);
  const entries = Object.entries(options);
  const [used, unused] = [true, false].map((is) =>
    Object.fromEntries(entries.filter(([name]) => isUsed(name, options, run.transcripts) === is)),
  );
  return (
    <>
      <Events run={run} events={events} />
      <Notes run={run} again={again} />
      <section class="panel">
        <h2>Reproduce this run</h2>
        {run.reproduce === undefined ? (
          <p>This run was started from your program. Run the program again to reproduce it.</p>
        ) : (
          <Command text={run.reproduce} />
        )}
        {moved.length > 0 && (
          <p>
            Settings were changed during the run ({moved.join(", ")}; see the log). The command does not
            repeat these changes.
          </p>
        )}
        {typeof run.config.commit === "string" && (
          <p class="soft">
            At commit <code>{run.config.commit}</code>, Reins {String(run.config.reins)}
          </p>
        )}
      </section>
      <div class="two">
        <div>
          <Table title="Settings" values={used} typed={typed} />
          {Object.keys(unused).length > 0 && (
            <details class="panel">
              <summary>{Object.keys(unused).length} settings without effect in this run</summary>
              <Rows values={unused} typed={typed} />
            </details>
          )}
        </div>
        <div>
          {Object.keys(envOptions).length > 0 && (
            <Table title="Environment" values={envOptions} typed={typedForEnv(run.config.command)} />
          )}
          <Table title="Run" values={rest} />
          {run.summary && <Table title="Summary" values={flat(run.summary)} />}
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

interface TableProps {
  readonly values: Readonly<Record<string, unknown>>;
  readonly typed?: ReadonlySet<string>;
}

const Table = ({ title, ...rows }: TableProps & { title: string }) => (
  <Scroll title={title}>
    <Rows {...rows} />
  </Scroll>
);

const Rows = ({ values, typed }: TableProps) => (
  <table>
    <tbody>
      {Object.entries(values).map(([name, value]) => (
        <tr key={name}>
          <th scope="row">
            {name}
            {typed?.has(name) && <span class="tag typed">set</span>}
          </th>
          <td class="mono breaks">{settingText(value)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
