import type { RecipeLine } from "../../../src/recipe-wire.ts";
import { SmallInterval } from "../../recipes/interval.tsx";
import { Verdict, Verdicts } from "../../recipes/verdict.tsx";
import { signed } from "../../recipes/wrap.ts";
import { href } from "../../route.ts";
import type { Selection, SortKey } from "./select.ts";

const columns: readonly { key: SortKey; title: string; number?: boolean }[] = [
  { key: "id", title: "System" },
  { key: "family", title: "Family" },
  { key: "state", title: "Verdict" },
  { key: "effect", title: "Effect with its 95% interval" },
  { key: "seeds", title: "Seeds", number: true },
];

/** Systems, one a row. */
export function RecipeTable(props: {
  lines: readonly RecipeLine[];
  selection: Selection;
  sortBy(key: SortKey, down: boolean): void;
}) {
  const { lines, selection, sortBy } = props;
  const { sort, down } = selection;
  return (
    <table class="recipes">
      <thead>
        <tr>
          {columns.map(({ key, title, number }) => (
            <th
              key={key}
              class={number ? "number" : ""}
              aria-sort={sort === key ? (down ? "descending" : "ascending") : "none"}
            >
              <button
                type="button"
                onClick={() => sortBy(key, sort === key ? !down : key === "effect" || !!number)}
              >
                {title}
                {sort === key && (down ? " ↓" : " ↑")}
              </button>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Row key={line.id} line={line} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ line: { id, title, family, state, isOwn, measured } }: { line: RecipeLine }) {
  return (
    <tr class="link">
      <td>
        <a class="name" href={href(["recipes", id])}>
          {id}
        </a>{" "}
        {isOwn && <span class="tag">own</span>}
        <div class="soft">{title}</div>
      </td>
      <td class="soft family">{family[0]}</td>
      <td class="stands">
        <Verdict state={state} />
        {measured && measured.verdicts.length > 1 && <Verdicts all={measured.verdicts} />}
      </td>
      <td class="effect-cell">
        {measured && (
          <div title={measured.claim}>
            <SmallInterval effect={measured.effect} />
            <div class="soft figures">{signed(measured.effect.text)}</div>
          </div>
        )}
      </td>
      <td class="number seeds">{measured?.seeds}</td>
    </tr>
  );
}
