import type { RecipeDetail } from "../../../src/recipe-wire.ts";
import { duration } from "../../words.ts";

/** When it was measured and verified, and all forms that were tried before. */
export function History({ recipe }: { recipe: RecipeDetail }) {
  const { result, history, said, verified } = recipe;
  const tried = said?.tried ?? [];
  return (
    <>
      {result && (
        <dl class="facts panel">
          <Fact name="Measured at" value={result.measuredAt} />
          {verified && <Fact name="Run again since" value={verified} />}
          <Fact name="With" value={result.machine} />
          <Fact name="In" value={duration(result.wallSeconds)} />
          <Fact name="Of one core" value={duration(result.processorSeconds)} />
        </dl>
      )}
      {result && result.judgedBefore.length > 0 && (
        <div class="panel">
          <h2>Judged before</h2>
          <ul class="plain-list">
            {result.judgedBefore.map((b, i) => (
              <li key={i}>
                {b.verdicts.join(", ")}; otherwise now because {b.because}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div class="panel">
        <h2>Measured before</h2>
        {history.length === 0 && <p class="soft">This is the first form that was measured.</p>}
        {history.map((a) => (
          <div key={`${a.measuredAt} ${a.seeds[0]}`} class="attempt">
            <h3>
              Seeds {a.seeds[0]} to {a.seeds[1]}
            </h3>
            <p class="soft">{a.measuredAt === "not finished" ? a.measuredAt : `at ${a.measuredAt}`}</p>
            <ul class="plain-list">
              {a.claims.map((c) => (
                <li key={c}>{c}</li>
              ))}
            </ul>
            <p>Measured again because {a.because}.</p>
          </div>
        ))}
      </div>
      <div class="panel">
        <h2>Tried on development seeds</h2>
        {tried.length === 0 ? (
          <p class="soft">No other form was tried.</p>
        ) : (
          <ul class="plain-list">
            {tried.map((t) => (
              <li key={t}>{t}</li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);
