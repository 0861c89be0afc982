import { useMemo, useState } from "preact/hooks";
import { ofRun, send } from "../api.ts";
import { Notice } from "../parts/notice.tsx";
import { go, href, type Route } from "../route.ts";
import { ColumnPicker } from "./runs/column-picker.tsx";
import { Deleted } from "./runs/deleted.tsx";
import { matches } from "./runs/filter.ts";
import { FilterBox } from "./runs/filter-box.tsx";
import { groupsOf } from "./runs/groups.ts";
import { Nothing } from "./runs/nothing.tsx";
import { Picked, usePicked } from "./runs/picked.tsx";
import { byField } from "./runs/sort.ts";
import { RunsTable } from "./runs/table.tsx";
import { useRuns } from "./runs/use-runs.ts";
import { queryOf, type RunsView, viewIn } from "./runs/view.ts";

/** All runs, as they are now. */
export function RunsPage({ route }: { route: Route }) {
  const view = useMemo(() => viewIn(route.query), [route.query.toString()]);
  const change = (changes: Partial<RunsView>) => go(href(["runs"], queryOf({ ...view, ...changes })), true);
  const { listing, query, names, error, again } = useRuns(view.find, [...view.columns, view.sort.key]);
  const [picked, setPicked] = usePicked(listing?.runs ?? []);
  const [failed, setFailed] = useState<string>();
  const [gone, setGone] = useState<readonly string[]>([]);
  const found = useMemo(
    () => (listing?.runs ?? []).filter((run) => matches(run, query.terms)),
    [listing, query],
  );
  const groups = useMemo(
    () => groupsOf(found, view.grouped).sort(byField(view.sort.key, view.sort.down)),
    [found, view],
  );
  if (!listing) return error ? <Notice bad>{error.message}</Notice> : <p class="soft">Loading runs …</p>;
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
  const restore = (deleted: readonly string[]) =>
    doing(async () => {
      // The button goes at once, so that it is not clicked twice.
      setGone([]);
      for (const name of deleted) await send("POST", `deleted/${encodeURIComponent(name)}`);
    });
  if (listing.runs.length === 0 && listing.waiting === 0 && listing.deleted.length === 0)
    return <Nothing root={listing.root} />;
  const all = listing.runs.length;
  return (
    <>
      <div class="head">
        <h1>Runs</h1>
        <span class="soft">
          {found.length === all ? `${all} runs` : `${found.length} of ${all} runs`}
          {listing.waiting > 0 && `, ${listing.waiting} loading`}
        </span>
        <span class="space" />
        <FilterBox
          id="runs-filter"
          value={view.find}
          errors={query.errors}
          change={(find) => change({ find })}
        />
        <label>
          <input
            type="checkbox"
            checked={view.grouped}
            onChange={(e) => change({ grouped: e.currentTarget.checked })}
          />
          Group seeds
        </label>
        <ColumnPicker
          names={names ?? { settings: [], metrics: [] }}
          chosen={view.columns}
          choose={(columns) => change({ columns })}
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
      <RunsTable
        groups={groups}
        view={view}
        picked={picked}
        pick={setPicked}
        sort={(sort) => change({ sort })}
      />
      {listing.deleted.length > 0 && <Deleted names={listing.deleted} restore={restore} doing={doing} />}
    </>
  );
}
