import type { RecipeBlock, RecipeClaim, RecipeResult } from "@reins/studio/wire";
import { Interval } from "../../recipes/interval.tsx";
import { Pairs } from "../../recipes/pairs.tsx";
import { blockClass } from "../../recipes/points.ts";
import { Scatter } from "../../recipes/scatter.tsx";
import { Verdict } from "../../recipes/verdict.tsx";
import { signed } from "../../recipes/wrap.ts";

/** The claims, with intervals and all seeds. */
export function Claims({ result }: { result: RecipeResult }) {
  const { claims, blocks, sides } = result;
  const open = sides.filter((s) => s.rivals?.length).map((s) => s.name);
  return (
    <section class="claims" aria-label="Claims">
      <div class="row legend">
        <h2>{claims.length === 1 ? "1 claim" : `${claims.length} claims`}</h2>
        <span class="space" />
        {blocks.map((b, i) => (
          <span key={b.firstSeed} class={`key ${blockClass(b, i)}`}>
            {seedsOf(b)}
            {b.isCheck && ", a check"}
          </span>
        ))}
      </div>
      {claims.map((claim, i) => (
        <Claim key={i} claim={claim} blocks={blocks} headline={i === 0} />
      ))}
      <p class="soft small-print">
        Thick: both blocks of seeds together. Thin: each block alone, and checks that do not enter the
        verdict. The solid line marks zero effect, the dashed lines are the smallest relevant effect. A claim
        is shown if its whole interval lies in the green area.
        {open.length > 0 &&
          ` Tuning did not separate the best two points of ${open.join(", ")}: the intervals cover both, so they are wider than the spread over seeds.`}
      </p>
    </section>
  );
}

/** The seeds of a block, as text. */
export const seedsOf = ({ firstSeed, replicates }: RecipeBlock): string =>
  `seeds ${firstSeed} to ${firstSeed + replicates.length - 1}`;

function Claim(props: { claim: RecipeClaim; blocks: readonly RecipeBlock[]; headline: boolean }) {
  const { claim, blocks, headline } = props;
  const several = claim.effects.length > 1;
  return (
    <article class="panel claim">
      <div class="row">
        <Verdict state={claim.verdict} />
        {headline && <span class="soft">headline</span>}
      </div>
      <h3>{claim.text}</h3>
      {claim.effects.map((effect, i) => (
        <div key={i} class="effect">
          <div class="measured">
            <p>
              {several && <Verdict state={effect.verdict} />} <span class="soft">{effect.kind} </span>
              <b>{signed(effect.text)}</b>
              {several && <span class="soft"> {effect.label}</span>}
            </p>
            <Interval effect={effect} blocks={effect.blocks} />
            {effect.note && <p class="soft">{effect.note}</p>}
            {i === claim.effects.length - 1 && <Why claim={claim} />}
          </div>
          {effect.columns.length > 0 &&
            (effect.isScatter ? (
              <Scatter columns={effect.columns} blocks={blocks} />
            ) : (
              <Pairs effect={effect} columns={effect.columns} blocks={blocks} />
            ))}
        </div>
      ))}
    </article>
  );
}

const Why = ({ claim: { because, paper } }: { claim: RecipeClaim }) => (
  <dl class="why">
    <dt>Why this effect is relevant</dt>
    <dd>{because}</dd>
    {paper && (
      <>
        <dt>In the paper</dt>
        <dd>{paper}</dd>
      </>
    )}
  </dl>
);
