import { useMemo, useState } from "preact/hooks";
import { ofRun, send } from "../api.ts";
import { Notice } from "../parts/notice.tsx";
import { go, href, type Route } from "../route.ts";
import { ColumnPicker } from "./runs/column-picker.tsx";
import { Deleted } from "./runs/deleted-runs.tsx";
import { matches } from "./runs/filter.ts";
import { FilterBox } from "./runs/filter-box.tsx";
import { groupsOf } from "./runs/groups.ts";
import { NoRuns } from "./runs/no-runs.tsx";
import { SelectionBar, usePicked } from "./runs/selection.tsx";
import { byField } from "./runs/sort.ts";
import { RunsTable } from "./runs/table.tsx";
import { useRuns } from "./runs/use-runs.ts";
import { queryOf, type RunsView, viewIn } from "./runs/view.ts";

/** The list of runs. */
export function RunsPage({ route }: { route: Route }) {
  const view = useMemo(() => viewIn(route.query), [route.query.toString()]);
  const change = (changes: Partial<RunsView>) => go(href(["runs"], queryOf({ ...view, ...changes })), true);
  const { listing, query, names, error, again } = useRuns(view.find, [...view.columns, view.sort.key]);
  const [picked, setPicked] = usePicked(listing?.runs ?? []);
  const [failed, setFailed] = useState<string>();
  const [deleted, setDeleted] = useState<readonly string[]>([]);
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
      setDeleted(done);
      setPicked(new Set(left.keys()));
      if (left.size > 0)
        throw new Error(`Not deleted: ${[...left].map(([name, why]) => `${name} (${why})`).join(", ")}.`);
    });
  const restore = (names: readonly string[]) =>
    doing(async () => {
      // Hides the button at once, so that it is not clicked twice.
      setDeleted([]);
      for (const name of names) await send("POST", `deleted/${encodeURIComponent(name)}`);
    });
  if (listing.runs.length === 0 && listing.waiting === 0 && listing.deleted.length === 0)
    return <NoRuns root={listing.root} />;
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
      {deleted.length > 0 && (
        <Notice>
          <div class="row">
            Deleted {deleted.length === 1 ? deleted[0] : `${deleted.length} runs`}.
            <button type="button" onClick={() => restore(deleted)}>
              Undo
            </button>
          </div>
        </Notice>
      )}
      {picked.size > 0 && <SelectionBar picked={picked} pick={setPicked} remove={remove} />}
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
