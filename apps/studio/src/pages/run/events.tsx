import type { RunDetail, RunEvent } from "@reins/studio/wire";
import { compact, duration, short } from "../../format.ts";
import { stepUnit } from "./step-unit.ts";

/** The log of a run, newest first. */
export function Events({ run, events }: { run: RunDetail; events: readonly RunEvent[] }) {
  const notes: readonly unknown[] = Array.isArray(run.summary?.notes) ? run.summary.notes : [];
  const end =
    run.state === "running"
      ? []
      : [`${run.state} after ${compact(run.steps)} ${stepUnit(run)} and ${duration(run.seconds)}`];
  const lines = [
    ...[...notes.map(String), ...end].map((text) => ({ at: "", text })),
    ...events.map((event) => ({ at: compact(event.step), text: wordsOf(event) })).reverse(),
    { at: "0", text: `started ${new Date(run.created).toLocaleString("en")}` },
  ];
  return (
    <section class="panel" aria-label="Log">
      <h2>Log</h2>
      <ol class="events">
        {lines.map(({ at, text }, i) => (
          <li key={`${i} ${text}`}>
            <span class="soft">{at}</span> {text}
          </li>
        ))}
      </ol>
    </section>
  );
}

function wordsOf({ kind, values }: RunEvent): string {
  const said = Object.entries(values).map(([name, x]) => `${name} ${short(x)}`);
  return kind === "measured" ? `evaluated: ${said.join(", ")}` : `changed by hand: ${said.join(", ")}`;
}
