import { useState } from "preact/hooks";
import { go, href, joined } from "../../route.ts";

type Names = ReadonlySet<string>;

/** The selection, kept while other pages are open. */
let last: Names = new Set();

/** The selected runs, without deleted ones. */
export function usePicked(runs: readonly { readonly name: string }[]): [Names, (names: Names) => void] {
  const [picked, setPicked] = useState(last);
  const there = new Set(runs.map(({ name }) => name));
  return [
    new Set([...picked].filter((name) => there.has(name))),
    (names) => {
      last = names;
      setPicked(names);
    },
  ];
}

/** Actions on selected runs. */
export const SelectionBar = (props: { picked: Names; pick(names: Names): void; remove(): void }) => (
  <div class="toolbar">
    <b>{props.picked.size} selected</b>
    <button
      type="button"
      class="main"
      onClick={() => go(href(["compare"], { runs: joined([...props.picked]) }))}
    >
      Compare
    </button>
    <button type="button" class="danger" onClick={props.remove}>
      Delete
    </button>
    <button type="button" class="plain" onClick={() => props.pick(new Set())}>
      Clear selection
    </button>
  </div>
);
