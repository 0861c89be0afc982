import { useState } from "preact/hooks";
import { go, href, joined } from "../../route.ts";

type Names = ReadonlySet<string>;

/** Runs that were chosen last: who comes back from another page finds them so. */
let last: Names = new Set();

/** Runs that are chosen, of those that there are. */
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

/** What can be done with chosen runs. */
export const Picked = (props: { picked: Names; pick(names: Names): void; remove(): void }) => (
  <div class="toolbar">
    <b>{props.picked.size} chosen</b>
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
      Choose none
    </button>
  </div>
);
