import { useState } from "preact/hooks";
import { ago, short } from "../../format.ts";
import { href } from "../../route.ts";
import { matches } from "../runs/filter.ts";
import { FilterBox } from "../runs/filter-box.tsx";
import { useRuns } from "../runs/use-runs.ts";

/** Maximum number of runs listed. */
const mostListed = 200;

/** Chooses up to `most` runs to compare. */
export function Choose(props: {
  chosen: readonly string[];
  most: number;
  choose(names: readonly string[]): void;
}) {
  const { chosen, most, choose } = props;
  const [words, setWords] = useState("");
  const { listing, query } = useRuns(words, []);
  const found = (listing?.runs ?? []).filter(
    (run) => run.state !== "unreadable" && matches(run, query.terms),
  );
  const picked = new Set(chosen);
  const all = [...new Set([...chosen, ...found.map((run) => run.name)])];
  const added = Math.min(all.length, most);
  return (
    <details class="panel" open={chosen.length === 0}>
      <summary>
        <b>Choose runs</b>{" "}
        <span class="soft">{chosen.length === 0 ? "none chosen" : `${chosen.length} chosen`}</span>
      </summary>
      <div class="toolbar" style={{ marginTop: "12px" }}>
        <FilterBox id="compare-filter" value={words} errors={query.errors} change={setWords} />
        <button type="button" onClick={() => choose(all.slice(0, most))}>
          {all.length > most ? `Add the first ${added} of ${all.length}` : `Add all ${found.length}`}
        </button>
        <button type="button" class="plain" onClick={() => choose([])}>
          Remove all
        </button>
      </div>
      {all.length > most && <p class="soft">At most {most} runs can be compared. Narrow the filter.</p>}
      <ul class="choice">
        {found.slice(0, mostListed).map(({ name, algorithm, env, seed, created, ...run }) => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                checked={picked.has(name)}
                disabled={!picked.has(name) && chosen.length >= most}
                onChange={(e) =>
                  choose(e.currentTarget.checked ? [...chosen, name] : chosen.filter((n) => n !== name))
                }
              />
              <span>
                {name}{" "}
                <span class="soft">
                  {algorithm} on {env}, seed {seed}, return {short(run.fresh ?? run.return)}, {ago(created)}
                </span>
              </span>
            </label>
          </li>
        ))}
        {found.length > mostListed && (
          <li class="soft">
            {mostListed} of {found.length} runs listed: narrow the filter.
          </li>
        )}
        {found.length === 0 && (
          <li class="soft">
            {listing?.runs.length === 0 ? (
              <>
                No runs yet. <a href={href(["runs"])}>How to start one</a>
              </>
            ) : (
              "No runs match. Clear the filter."
            )}
          </li>
        )}
      </ul>
    </details>
  );
}
