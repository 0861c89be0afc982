import type { FieldNames } from "@reins/studio/wire";
import { useState } from "preact/hooks";
import { Popover } from "../../parts/popover.tsx";
import { ownColumns, titleOf } from "./columns.ts";
import { isOwn } from "./fields.ts";
import { usualColumns } from "./view.ts";

/** Maximum number of settings or metrics shown. */
const most = 60;

/** Chooses the columns of the list from all settings and metrics. */
export function ColumnPicker(props: {
  names: FieldNames;
  chosen: readonly string[];
  choose(columns: readonly string[]): void;
}) {
  const { names, chosen, choose } = props;
  const [words, setWords] = useState("");
  const sought = words.toLowerCase();
  // Settings in which runs differ come first.
  const settings = [...names.settings]
    .filter(({ name }) => !isOwn(name))
    .sort((a, b) => Number(b.values > 1) - Number(a.values > 1));
  const groups: (readonly [string, readonly { name: string; hint?: string }[]])[] = [
    ["Run", ownColumns.map((name) => ({ name }))],
    ["Settings", settings.map(({ name, values }) => ({ name, hint: values > 1 ? `${values} values` : "" }))],
    ["Metrics", names.metrics.map((name) => ({ name }))],
  ];
  return (
    <Popover id="columns" label="Columns" title="Columns">
      <div class="toolbar">
        <input
          type="search"
          placeholder="Find a setting or metric"
          aria-label="Find a column"
          value={words}
          onInput={(e) => setWords(e.currentTarget.value)}
        />
        <button type="button" class="plain" onClick={() => choose(usualColumns)}>
          Reset
        </button>
      </div>
      {groups.map(([title, all]) => {
        const found = all.filter(({ name }) => `${titleOf(name)} ${name}`.toLowerCase().includes(sought));
        if (found.length === 0) return null;
        return (
          <fieldset key={title} class="columns">
            <legend>{title}</legend>
            {found.slice(0, most).map(({ name, hint }) => (
              <label key={name}>
                <input
                  type="checkbox"
                  checked={chosen.includes(name)}
                  onChange={(e) =>
                    choose(e.currentTarget.checked ? [...chosen, name] : chosen.filter((c) => c !== name))
                  }
                />
                <span>
                  {titleOf(name)} {hint && <span class="soft">{hint}</span>}
                </span>
              </label>
            ))}
            {found.length > most && (
              <p class="soft">
                {most} of {found.length} shown: narrow the search.
              </p>
            )}
          </fieldset>
        );
      })}
    </Popover>
  );
}
