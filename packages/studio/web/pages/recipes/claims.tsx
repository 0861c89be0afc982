import type { RecipeBlock, RecipeClaim, RecipeResult } from "../../../src/recipe-wire.ts";
import { Interval } from "../../recipes/interval.tsx";
import { Pairs } from "../../recipes/pairs.tsx";
import { blockClass } from "../../recipes/points.ts";
import { Scatter } from "../../recipes/scatter.tsx";
import { Verdict } from "../../recipes/verdict.tsx";
import { signed } from "../../recipes/wrap.ts";

/** What is claimed, with the intervals and every seed. */
export function Claims({ result }: { result: RecipeResult }) {
  const { claims, blocks, sides } = result;
  const open = sides.filter((s) => s.rivals?.length).map((s) => s.name);
  return (
    <section class="claims" aria-label="Claims">
      <div class="row legend">
        <h2>{claims.length === 1 ? "One claim" : `${claims.length} claims`}</h2>
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
        Thick: both blocks that count together, thin: each block alone, and checks that no verdict rests on.
        The solid line is no effect, the dashed ones the smallest effect that counts; the green field is where
        all of an interval lies if the claim is shown.
        {open.length > 0 &&
          ` Tuning could not tell the best two points of ${open.join(", ")}: intervals hold for either, so they can be wider than the seeds alone say.`}
      </p>
    </section>
  );
}

/** The seeds of a block, in words. */
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
    <dt>Why this size counts</dt>
    <dd>{because}</dd>
    {paper && (
      <>
        <dt>In the paper</dt>
        <dd>{paper}</dd>
      </>
    )}
  </dl>
);
