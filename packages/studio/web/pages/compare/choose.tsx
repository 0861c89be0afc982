import { useState } from "preact/hooks";
import type { RunLine } from "../../../src/wire.ts";
import { ago, short } from "../../words.ts";
import { matches } from "../runs/filter.ts";

/** Which runs are compared. */
export function Choose(props: {
  runs: readonly RunLine[];
  chosen: readonly string[];
  choose(names: readonly string[]): void;
}) {
  const { runs, chosen, choose } = props;
  const [words, setWords] = useState("");
  const found = runs.filter((run) => run.state !== "unreadable" && matches(run, words));
  const picked = new Set(chosen);
  return (
    <details class="panel" open={chosen.length === 0}>
      <summary>
        <b>Runs</b> <span class="soft">{chosen.length === 0 ? "choose some" : chosen.join(", ")}</span>
      </summary>
      <div class="toolbar" style={{ marginTop: "12px" }}>
        <input
          type="search"
          placeholder="Filter: ppo CartPole tag:best"
          aria-label="Filter the runs"
          value={words}
          onInput={(e) => setWords(e.currentTarget.value)}
        />
        <button type="button" onClick={() => choose([...new Set([...chosen, ...found.map((r) => r.name)])])}>
          Take all {found.length}
        </button>
        <button type="button" class="plain" onClick={() => choose([])}>
          Take none
        </button>
      </div>
      <ul class="choice">
        {found.slice(0, 200).map(({ name, algorithm, env, seed, created, ...run }) => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                checked={picked.has(name)}
                onChange={(e) =>
                  choose(e.currentTarget.checked ? [...chosen, name] : chosen.filter((n) => n !== name))
                }
              />
              <span>
                {name}{" "}
                <span class="soft">
                  {algorithm} on {env}, seed {seed}, {short(run.fresh ?? run.return)}, {ago(created)}
                </span>
              </span>
            </label>
          </li>
        ))}
        {found.length === 0 && <li class="soft">There are no such runs.</li>}
      </ul>
    </details>
  );
}
