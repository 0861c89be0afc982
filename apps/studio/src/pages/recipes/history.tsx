import type { RecipeDetail } from "@reins/studio/wire";
import { duration } from "../../format.ts";

/** When a recipe was measured and verified, and its earlier versions. */
export function History({ recipe }: { recipe: RecipeDetail }) {
  const { result, history, said, verified } = recipe;
  const tried = said?.tried ?? [];
  return (
    <>
      {result && (
        <dl class="facts panel">
          <Fact name="Measured at" value={result.measuredAt} />
          {verified && <Fact name="Verified at" value={verified} />}
          <Fact name="Machine" value={result.machine} />
          <Fact name="Wall time" value={duration(result.wallSeconds)} />
          <Fact name="CPU time" value={duration(result.processorSeconds)} />
        </dl>
      )}
      {result && result.judgedBefore.length > 0 && (
        <div class="panel">
          <h2>Earlier verdicts</h2>
          <ul class="plain-list">
            {result.judgedBefore.map((b, i) => (
              <li key={i}>
                {b.verdicts.join(", ")}; changed because {b.because}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div class="panel">
        <h2>Earlier measurements</h2>
        {history.length === 0 && <p class="soft">None: this is the first measurement.</p>}
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
        <h2>Versions tried on development seeds</h2>
        {tried.length === 0 ? (
          <p class="soft">None.</p>
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
