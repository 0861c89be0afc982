import type { RecipeLine } from "@reins/studio/wire";
import { useMemo, useState } from "preact/hooks";
import { Notice } from "../parts/notice.tsx";
import { readRecipes } from "../recipes/data.ts";
import { allStates, classOf, countWords, levels, states } from "../recipes/states.ts";
import { VerdictWords } from "../recipes/verdict.tsx";
import { go, href, type Route } from "../route.ts";
import { usePoll } from "../use-poll.ts";
import { RecipePage } from "./recipes/recipe.tsx";
import { byColumn, matches, queryOf, type Selection, selectionOf, stands } from "./recipes/select.ts";
import { RecipeTable } from "./recipes/table.tsx";

/** Rows shown at first. */
const page = 120;

/** Published systems and their baselines: the table of all recipes, or one of them. */
export function RecipesPage({ route }: { route: Route }) {
  const [, id, tab] = route.path;
  return id === undefined ? <AllRecipes route={route} /> : <RecipePage id={id} tab={tab} />;
}

function AllRecipes({ route }: { route: Route }) {
  const { value, error } = usePoll(readRecipes, "recipes", 0);
  const selection = selectionOf(route.query);
  const select = (change: Partial<Selection>) =>
    go(href(["recipes"], queryOf({ ...selection, ...change })), true);
  const [shown, setShown] = useState(page);
  const query = route.query.toString();
  const like = useMemo(() => (value?.recipes ?? []).filter((l) => matches(l, selection)), [value, query]);
  const found = useMemo(
    () => like.filter((l) => stands(l, selection.state)).sort(byColumn(selection.sort, selection.down)),
    [like, query],
  );
  if (!value) return error ? <Notice bad>{error.message}</Notice> : <p class="soft">Loading recipes …</p>;
  if (value.missing !== undefined || value.recipes.length === 0) return <Nothing why={value.missing} />;
  const families = [...new Set(value.recipes.flatMap((r) => r.family))].sort();
  return (
    <>
      <div class="head">
        <h1>Recipes</h1>
        <span class="soft">
          {found.length === value.recipes.length
            ? countWords(value.recipes)
            : `${found.length} of ${value.recipes.length}`}
        </span>
        <span class="space" />
        <input
          type="search"
          placeholder="Search names, papers, claims"
          aria-label="Search recipes"
          size={28}
          value={selection.words}
          onInput={(e) => select({ words: e.currentTarget.value })}
        />
        <select
          aria-label="Family"
          value={selection.family}
          onChange={(e) => select({ family: e.currentTarget.value })}
        >
          <option value="">All families</option>
          {families.map((f) => (
            <option key={f} value={f}>
              {f}
            </option>
          ))}
        </select>
        <select
          aria-label="Level"
          value={selection.level}
          onChange={(e) => select({ level: e.currentTarget.value })}
        >
          <option value="">All levels</option>
          {Object.entries(levels).map(([level, about]) => (
            <option key={level} value={level} title={about}>
              {level}
            </option>
          ))}
        </select>
        <label>
          <input
            type="checkbox"
            checked={selection.every}
            onChange={(e) => select({ every: e.currentTarget.checked })}
          />
          All claims
        </label>
      </div>
      <Summary all={value.recipes} />
      <Counts lines={like} state={selection.state} choose={(state) => select({ state })} />
      <VerdictWords all={value.recipes} />
      <div class="panel scroll">
        <RecipeTable
          lines={found.slice(0, shown)}
          selection={selection}
          sortBy={(sort, down) => select({ sort, down })}
        />
        {found.length === 0 && <p class="empty">No recipes match. Clear the search.</p>}
        {found.length > shown && (
          <p class="empty more">
            <button type="button" onClick={() => setShown(found.length)}>
              Show all {found.length}
            </button>
          </p>
        )}
      </div>
      <p class="soft small-print">
        Effects are in the unit of the metric. Above 0 (or a factor above 1) they are in the direction of the
        claim. Bars are in units of the smallest relevant effect (dashed), from −4 to 4. The solid line marks
        zero effect; a claim is shown if its whole interval lies in the green area. Filled points are decided
        verdicts, hollow points are open.
      </p>
    </>
  );
}

function Summary({ all }: { all: readonly RecipeLine[] }) {
  const measured = all.flatMap((l) => l.measured ?? []);
  const verdicts = measured.flatMap((m) => m.claims.map((c) => c.verdict));
  const own = all.filter((l) => l.isOwn).length;
  const chance = 0.025 * verdicts.filter((v) => v !== "untestable").length;
  return (
    <p class="soft summary">
      {all.filter((l) => !l.isOwn).length} published systems
      {own > 0 && ` and ${own} comparisons of our own`}, each compared with baselines of equal tuning on the
      same seeds. {measured.length} are measured, with {verdicts.length} claims. If every effect were exactly
      the smallest relevant one, {chance.toFixed(1)} claims would be shown by chance.
    </p>
  );
}

/** The number of recipes by verdict on the headline; each filters the table. */
function Counts(props: { lines: readonly RecipeLine[]; state: string; choose(state: string): void }) {
  const { lines, state, choose } = props;
  const count = (s: string) => lines.filter((l) => stands(l, s)).length;
  const kinds = ["", "measured", ...allStates].filter((s) => s === "" || s === state || count(s) > 0);
  return (
    <fieldset class="chips">
      <legend class="hidden">Filter by verdict</legend>
      {kinds.map((s) => (
        <button
          key={s}
          type="button"
          class={`chip ${s in states ? `verdict ${classOf(s as RecipeLine["state"])}` : ""}`}
          aria-pressed={s === state}
          title={states[s as RecipeLine["state"]]}
          onClick={() => choose(s === state ? "" : s)}
        >
          {s || "all"} <b>{count(s)}</b>
        </button>
      ))}
    </fieldset>
  );
}

const Nothing = ({ why }: { why?: string }) => (
  <div class="empty">
    <h2>No recipes found</h2>
    <p>Recipes compare published systems with their baselines. Start the studio in a checkout of Reins:</p>
    <pre>cd reins && npx reins studio</pre>
    {why && <p class="why-not">{why}</p>}
  </div>
);
