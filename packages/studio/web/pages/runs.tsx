import { useMemo, useState } from "preact/hooks";
import type { RunListing } from "../../src/wire.ts";
import { get, ofRun, send } from "../api.ts";
import { Notice } from "../parts/notice.tsx";
import { go, href, type Route } from "../route.ts";
import { usePoll } from "../use-poll.ts";
import { Deleted } from "./runs/deleted.tsx";
import { matches } from "./runs/filter.ts";
import { Nothing } from "./runs/nothing.tsx";
import { Picked, usePicked } from "./runs/picked.tsx";
import { Row } from "./runs/row.tsx";
import { byColumn, type SortKey, sortIn } from "./runs/sort.ts";

/** Rows that are drawn at first; more come as one scrolls. */
const page = 100;

const columns: readonly { key: SortKey; title: string; number?: boolean }[] = [
  { key: "name", title: "Run" },
  { key: "state", title: "State" },
  { key: "return", title: "Return", number: true },
  { key: "steps", title: "Steps", number: true },
  { key: "stepsPerSecond", title: "Speed", number: true },
  { key: "seconds", title: "Time", number: true },
  { key: "created", title: "Begun" },
];

/** All runs, as they are now. */
export function RunsPage({ route }: { route: Route }) {
  const { value, error, again } = usePoll(
    () => get<RunListing>("runs"),
    "runs",
    (v) => (v?.waiting ? 200 : 2000),
  );
  // What is looked for is in the address: it can be kept, sent on, and come back to.
  const words = route.query.get("find") ?? "";
  const sort = useMemo(() => sortIn(route.query.get("sort")), [route.query.get("sort")]);
  const change = (changes: Record<string, string>) => {
    const all = { ...Object.fromEntries(route.query), ...changes };
    go(href(["runs"], Object.fromEntries(Object.entries(all).filter(([, v]) => v !== ""))), true);
  };
  const [shown, setShown] = useState(page);
  const [picked, setPicked] = usePicked(value?.runs ?? []);
  const [failed, setFailed] = useState<string>();
  const [gone, setGone] = useState<readonly string[]>([]);
  const found = useMemo(
    () => (value?.runs ?? []).filter((run) => matches(run, words)).sort(byColumn(sort.key, sort.down)),
    [value, words, sort],
  );
  if (!value) return error ? <Notice bad>{error.message}</Notice> : <p class="soft">Looking for runs …</p>;
  const doing = async (action: () => Promise<unknown>) => {
    setFailed(undefined);
    await action().catch((e: Error) => setFailed(e.message));
    again();
  };
  const remove = () =>
    doing(async () => {
      const [done, left] = [[] as string[], new Map<string, string>()];
      for (const name of picked)
        await send("DELETE", ofRun(name)).then(
          () => done.push(name),
          (e: Error) => left.set(name, e.message),
        );
      setGone(done);
      setPicked(new Set(left.keys()));
      if (left.size > 0)
        throw new Error(`Not deleted: ${[...left].map(([name, why]) => `${name} (${why})`).join(", ")}.`);
    });
  const restore = (names: readonly string[]) =>
    doing(async () => {
      // At once gone from sight, so that nobody asks twice.
      setGone([]);
      for (const name of names) await send("POST", `deleted/${encodeURIComponent(name)}`);
    });
  if (value.runs.length === 0 && value.waiting === 0 && value.deleted.length === 0)
    return <Nothing root={value.root} />;
  return (
    <>
      <div class="head">
        <h1>Runs</h1>
        <span class="soft">
          {found.length === value.runs.length
            ? `${found.length} runs`
            : `${found.length} of ${value.runs.length} runs`}
          {value.waiting > 0 && `, ${value.waiting} to be read`}
        </span>
        <span class="space" />
        <input
          type="search"
          placeholder="Filter: CartPole state:running rate"
          aria-label="Filter the runs"
          size={38}
          value={words}
          onInput={(e) => change({ find: e.currentTarget.value })}
        />
      </div>
      {error && <Notice bad>{error.message}</Notice>}
      {failed && <Notice bad>{failed}</Notice>}
      {gone.length > 0 && (
        <Notice>
          <div class="row">
            Deleted {gone.length === 1 ? gone[0] : `${gone.length} runs`}.
            <button type="button" onClick={() => restore(gone)}>
              Undo
            </button>
          </div>
        </Notice>
      )}
      {picked.size > 0 && <Picked picked={picked} pick={setPicked} remove={remove} />}
      <div class="panel scroll">
        <table class="runs">
          <thead>
            <tr>
              <th>
                <input
                  type="checkbox"
                  aria-label="Choose all"
                  checked={found.length > 0 && picked.size === found.length}
                  onChange={(e) =>
                    setPicked(new Set(e.currentTarget.checked ? found.map((r) => r.name) : []))
                  }
                />
              </th>
              {columns.map(({ key, title, number }) => (
                <th
                  key={key}
                  class={number ? "number" : ""}
                  aria-sort={sort.key === key ? (sort.down ? "descending" : "ascending") : "none"}
                >
                  <button
                    type="button"
                    onClick={() => {
                      const down = sort.key === key ? !sort.down : !!number;
                      change({ sort: `${down ? "-" : ""}${key}` });
                    }}
                  >
                    {title}
                    {sort.key === key && (sort.down ? " ↓" : " ↑")}
                  </button>
                </th>
              ))}
              <th>Curve</th>
            </tr>
          </thead>
          <tbody>
            {found.slice(0, shown).map((run) => (
              <Row
                key={run.name}
                run={run}
                picked={picked.has(run.name)}
                pick={() => {
                  const next = new Set(picked);
                  if (!next.delete(run.name)) next.add(run.name);
                  setPicked(next);
                }}
              />
            ))}
          </tbody>
        </table>
        {found.length === 0 && <p class="empty">No run is like that. Empty the filter to see all.</p>}
        {found.length > shown && (
          <p class="empty">
            <button type="button" onClick={() => setShown(shown + 4 * page)}>
              Show more of {found.length}
            </button>
          </p>
        )}
      </div>
      {value.deleted.length > 0 && <Deleted names={value.deleted} restore={restore} doing={doing} />}
    </>
  );
}
