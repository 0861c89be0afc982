import type { RecipeDetail } from "@reins/studio/wire";
import { Notice } from "../../parts/notice.tsx";
import { readRecipe } from "../../recipes/data.ts";
import { Verdict } from "../../recipes/verdict.tsx";
import { href } from "../../route.ts";
import { usePoll } from "../../use-poll.ts";
import { Claims } from "./claims.tsx";
import { History } from "./history.tsx";
import { Sides } from "./sides.tsx";

/** One recipe: result, arms, history and source. */
export function RecipePage({ id, tab = "result" }: { id: string; tab?: string }) {
  const { value: recipe, error } = usePoll(() => readRecipe(id), id, 0);
  if (!recipe)
    return (
      <>
        <Back />
        {error ? (
          <>
            <h1 class="not-there">This recipe cannot be shown</h1>
            <Notice bad>{error.message}</Notice>
          </>
        ) : (
          <p class="soft">Loading {id} …</p>
        )}
      </>
    );
  const { result, said, code } = recipe;
  const tabs: [string, string, boolean][] = [
    ["result", "Result", true],
    ["sides", "Arms and seeds", result !== undefined],
    ["history", "History", result !== undefined || recipe.history.length > 0 || !!said?.tried.length],
    ["source", "Source", code !== undefined],
  ];
  const there = tabs.filter(([, , has]) => has);
  return (
    <>
      <Back />
      <div class="head recipe-head">
        <h1>{recipe.id}</h1>
        <Verdict state={recipe.state} />
        <p>
          {recipe.title}
          {said?.source && (
            <>
              {" "}
              <Source of={said.source} />
            </>
          )}
        </p>
        <p>
          {recipe.family.map((f) => (
            <a key={f} class="tag" href={href(["recipes"], { family: f })}>
              {f}
            </a>
          ))}
        </p>
      </div>
      {recipe.problem && <Notice bad>{recipe.problem}</Notice>}
      {there.length > 1 && (
        <nav class="tabs" aria-label="Parts of the recipe">
          {there.map(([to, title]) => (
            <a key={to} href={href(["recipes", id, to])} aria-current={tab === to ? "page" : undefined}>
              {title}
            </a>
          ))}
        </nav>
      )}
      {tab === "sides" && result ? (
        <Sides result={result} />
      ) : tab === "history" ? (
        <History recipe={recipe} />
      ) : tab === "source" && code !== undefined ? (
        <section class="panel" aria-label="Source">
          <h2 class="mono">{recipe.file}</h2>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keys */}
          <pre class="code" tabIndex={0}>
            {code}
          </pre>
        </section>
      ) : (
        <Result recipe={recipe} />
      )}
    </>
  );
}

const Back = () => (
  <p class="crumb">
    <a href={href(["recipes"])}>← All recipes</a>
  </p>
);

function Result({ recipe }: { recipe: RecipeDetail }) {
  const { id, said, result, state } = recipe;
  if (state === "to write")
    return (
      <div class="empty">
        <h2>No recipe yet</h2>
        <p>To write one, see docs/recipes.md.</p>
      </div>
    );
  return (
    <>
      {said && (
        <section class="panel">
          {said.finding && (
            <>
              <h2>Finding</h2>
              <p class="finding">{said.finding}</p>
            </>
          )}
          <p class={said.finding ? "soft about" : "about"}>{said.about}</p>
          {said.covers.length > 0 && (
            <>
              <h2>Methods and the parts that cover them</h2>
              <ul>
                {said.covers.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            </>
          )}
          {said.budget && <p class="soft about">Budget per run: {said.budget}.</p>}
        </section>
      )}
      {result && <Claims result={result} />}
      {state === "not run" && (
        <div class="empty">
          <h2>Not measured yet</h2>
          <pre>reins recipes run {id}</pre>
        </div>
      )}
      {said && said.deviations.length > 0 && (
        <section class="panel">
          <h2>Deviations from the paper</h2>
          <ul class="plain-list">
            {said.deviations.map((d) => (
              <li key={d}>{d}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** A link to the paper. */
function Source({ of }: { of: string }) {
  const [, kind, name] = /^(arXiv|doi):(\S+)$/i.exec(of) ?? [];
  if (!kind) return <span class="soft">{of}</span>;
  const where = kind.toLowerCase() === "doi" ? "https://doi.org/" : "https://arxiv.org/abs/";
  return (
    <a href={`${where}${name}`} target="_blank" rel="noreferrer">
      {of}
    </a>
  );
}
