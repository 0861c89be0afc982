import { type Claim, effectSize, simplesOf } from "../../claims/claim.ts";
import type { Judgement, Part } from "../../claims/judge.ts";
import type { Result } from "../result.ts";

/** Scales estimates and intervals to units of the smallest relevant effect, Δ. Undefined if the claim has no size. */
export function scaleOf(claim: Claim, judgement: Judgement) {
  const simple = simplesOf(claim)[judgement.of ?? 0];
  const size = effectSize(simple);
  if (size === undefined) return undefined;
  const middle = simple.kind === "equals" ? simple.value : 0;
  const scaled = (v: number) => (v - middle) / size;
  return (other: Judgement) => {
    // The same part of a block: another may decide there, in another unit.
    const same = ({ of, label }: Part) => of === judgement.of && label === judgement.label;
    const { estimate, low, high } = other.parts?.find(same) ?? other;
    return [scaled(estimate), scaled(low), scaled(high)] as const;
  };
}

/** Estimates and intervals of headlines in units of Δ, for claims about an effect. */
export const headlineEffects = (results: readonly Result[]): (readonly [number, number, number])[] =>
  results.flatMap((r) => {
    const isEffect = simplesOf(r.claims[0])[r.judged[0].of ?? 0].kind !== "equals";
    const scale = isEffect ? scaleOf(r.claims[0], r.judged[0]) : undefined;
    return scale ? [scale(r.judged[0])] : [];
  });
