import type { RecipeEffect, RecipeLine } from "@reins/studio/wire";
import { SmallInterval } from "../../recipes/interval.tsx";
import { Verdict, Verdicts } from "../../recipes/verdict.tsx";
import { signed } from "../../recipes/wrap.ts";
import { href } from "../../route.ts";
import type { Selection, SortKey } from "./select.ts";

const columns: readonly { key?: SortKey; title: string; number?: boolean }[] = [
  { key: "id", title: "System" },
  { title: "Claim" },
  { key: "state", title: "Verdict" },
  { key: "effect", title: "Effect (95% interval)" },
  { key: "seeds", title: "Seeds", number: true },
];

/** The table of systems. */
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
          {columns.map(({ key, title, number }) =>
            key === undefined ? (
              <th key={title}>{title}</th>
            ) : (
              <th
                key={title}
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
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Rows key={line.id} line={line} every={selection.every} />
        ))}
      </tbody>
    </table>
  );
}

/** The row of a system, with rows for its other claims if all are shown. */
function Rows({ line, every }: { line: RecipeLine; every: boolean }) {
  const { id, title, family, state, level, isOwn, measured, problem } = line;
  const claims = measured?.claims ?? [];
  const rows = every ? Math.max(1, claims.length) : 1;
  return (
    <>
      <tr>
        <td rowSpan={rows}>
          <a class="name" href={href(["recipes", id])}>
            {id}
          </a>{" "}
          <span class="soft family">{isOwn ? `${family[0]}, our own` : family[0]}</span>
          <div class="soft">{title}</div>
        </td>
        <td class="claimed">{problem ?? (claims[0] && <ClaimText text={claims[0].text} />)}</td>
        <td class="stands">
          <Verdict state={state} />
          {claims.length > 1 && !every && <Verdicts all={claims.map((c) => c.verdict)} />}
        </td>
        <td class="effect-cell">{claims[0] && <Effect effect={claims[0].effect} />}</td>
        <td class="number seeds" rowSpan={rows}>
          {measured?.seeds}
          {measured && <div class="soft">{level}</div>}
        </td>
      </tr>
      {claims.slice(1, rows).map(({ text, verdict, effect }) => (
        <tr key={text} class="further">
          <td class="claimed">
            <ClaimText text={text} />
          </td>
          <td class="stands">
            <Verdict state={verdict} />
          </td>
          <td class="effect-cell">
            <Effect effect={effect} />
          </td>
        </tr>
      ))}
    </>
  );
}

const Effect = ({ effect }: { effect: RecipeEffect }) => (
  <div>
    <div class="bar-and-kind">
      <SmallInterval effect={effect} />
      <span class="soft figures">{effect.kind}</span>
    </div>
    <div class="soft figures">{signed(effect.text)}</div>
  </div>
);

/** A claim, cut to fit; the tooltip has the whole text. */
const ClaimText = ({ text }: { text: string }) => <div title={text}>{text}</div>;
