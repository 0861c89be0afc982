import { kindOf, simplesOf } from "../../claims/claim.ts";
import type { Judgement } from "../../claims/judge.ts";
import { figure } from "../../claims/text.ts";
import { decided } from "../../claims/verdict.ts";
import { levelOf } from "../level.ts";
import { median } from "../record.ts";
import { counted, type Result } from "../result.ts";
import { type BookRow, formsOf, partsOf } from "../rows.ts";
import { countOf, type TestedIdea } from "./ideas.ts";
import { headlineEffects } from "./scale.ts";
import { tuningEffect } from "./tuning-effect.ts";

/** What the book has found as a whole, one statement each, computed from its results. `beds` are the testbeds. */
export function findings(
  rows: readonly BookRow[],
  beds: readonly BookRow[],
  ideas: readonly TestedIdea[],
): string[] {
  const measured = rows.filter((r) => r.result);
  const results = measured.map((r) => r.result!);
  if (results.length === 0) return ["No system is measured yet."];
  return [
    headlines(results),
    costs(results),
    sizes(results),
    tuning(results),
    ...everywhere(ideas),
    power(measured),
    noise(beds),
    blocks(results),
    forms(measured),
    chance(results),
    verified(measured),
  ].filter((s) => s !== "");
}

const countIn = (judged: readonly Judgement[], ...verdicts: readonly string[]): number =>
  judged.filter((j) => verdicts.includes(j.verdict)).length;

function headlines(results: readonly Result[]): string {
  const heads = results.map((r) => r.judged[0]);
  const count = (...verdicts: string[]) => countIn(heads, ...verdicts);
  return `**${count("shown")} of ${heads.length} headline claims hold**; ${count("towards")} more point in the claimed direction, with an open size. ${count("reversed")} are reversed and ${count("against")} point the other way, ${count("negligible")} effects are negligible, ${count("undecided")} are undecided, ${count("untestable")} untestable.`;
}

/** Whether claims about lower costs and errors hold more often than claims about higher scores. */
function costs(results: readonly Result[]): string {
  const all = results.flatMap((r) =>
    r.claims.flatMap((claim, i) => {
      const judged = r.judged[i].parts ?? [r.judged[i]];
      return judged.flatMap((part) => {
        const simple = simplesOf(claim)[part.of ?? 0];
        const isEffect = kindOf(simple) === "difference" || simple.kind === "ratio";
        if (!isEffect || ("direction" in simple && simple.direction)) return [];
        return [{ verdict: part.verdict, better: r.metrics[[simple.metric].flat()[0]]?.better }];
      });
    }),
  );
  const text = (better: string) => {
    const own = all.filter((c) => c.better === better);
    return `${own.filter((c) => c.verdict === "shown").length} of ${own.length}`;
  };
  return `**Costs and scores**: of the effects that lower a cost, an error or a number of calls or tokens, ${text("lower")} are shown; of those that raise a score, ${text("higher")}.`;
}

function sizes(results: readonly Result[]): string {
  const sizes = headlineEffects(results).map((e) => e[0]);
  if (sizes.length === 0) return "";
  const above = sizes.filter((s) => s >= 1).length;
  return `**The median headline effect is ${figure(median(sizes))} Δ**, in units of the smallest effect that was declared relevant before the evaluation; ${above} of ${sizes.length} estimates are Δ or more, ${sizes.filter((s) => s < 0).length} are below 0.`;
}

function tuning(results: readonly Result[]): string {
  const effects = results.flatMap((r) => tuningEffect(r) ?? []);
  if (effects.length === 0) return "";
  const untuned = effects.filter((e) => e.untuned >= 1);
  const left = untuned.filter((e) => e.tuned >= 1).length;
  return `**Tuning the baseline removes ${untuned.length - left} of ${untuned.length} effects**: against the median point of the baseline's grid, ${untuned.length} of ${effects.length} systems gain Δ or more on the tuning seeds; against its best point, ${left} do.`;
}

function everywhere(ideas: readonly TestedIdea[]): string[] {
  const named = (list: readonly TestedIdea[]) =>
    list.map((t) => `${t.idea.toLowerCase()} (${t.claims.length})`).join("; ") || "none";
  const always = ideas.filter((t) => countOf(t, "shown") === t.claims.length);
  const never = ideas.filter((t) => t.claims.length > 2 && countOf(t, "shown", "towards") === 0);
  if (ideas.length === 0) return [];
  return [
    `**Ideas that hold in every system measured** (their number in parentheses): ${named(always)}.`,
    `**Ideas without a gain in three systems or more**: ${named(never)}.`,
  ];
}

function power(rows: readonly BookRow[]): string {
  const results = rows.map((r) => r.result!);
  const full = rows.filter((r) => levelOf(r.entry, r.result) !== "works").length;
  const widths = headlineEffects(results).map(([, low, high]) => (high - low) / 2);
  const open = (by: string) => results.filter((r) => r.judged[0].open === by).length;
  const half = widths.length
    ? `; half of the headline intervals are wider than ± ${figure(median(widths))} Δ`
    : "";
  return `**Power**: ${full} of ${rows.length} systems have the number of replicates that 80% power for Δ needs${half}. More seeds may decide ${open("seeds")} headlines, better tuning ${open("tuning")}.`;
}

function noise(beds: readonly BookRow[]): string {
  const shares = beds.flatMap(({ system, result }) =>
    result?.testbed ? [`${system.id} ${Math.round(100 * result.testbed.noise)}%`] : [],
  );
  return shares.length
    ? `**Evaluation noise**, at most, as a share of the variance of paired differences: ${shares.join(", ")}.`
    : "";
}

function blocks(results: readonly Result[]): string {
  const pairs = results.flatMap((r) =>
    r.blocks.length < counted ? [] : [r.blocks.slice(0, counted).map((b) => b.judged![0])],
  );
  const same = pairs.filter(([a, b]) => Math.sign(a.estimate) === Math.sign(b.estimate)).length;
  const clash = pairs.filter(([a, b]) =>
    partsOf(a).some(({ verdict }, i) => {
      const other = partsOf(b)[i].verdict;
      return decided.has(verdict) && decided.has(other) && other !== verdict;
    }),
  ).length;
  return `**Two independent blocks of seeds** agree in the sign of ${same} of ${pairs.length} headline effects; ${clash || "no"} decided ${clash === 1 ? "verdict of one block contradicts" : "verdicts of one block contradict"} the other.`;
}

function forms(rows: readonly BookRow[]): string {
  const text = (own: readonly BookRow[]) =>
    `${countIn(
      own.map((r) => r.result!.judged[0]),
      "shown",
    )} of ${own.length}`;
  const total = rows.reduce((sum, r) => sum + formsOf(r), 0);
  return `**Forms tried**: ${total} in all. Headlines hold in ${text(rows.filter((r) => formsOf(r) > 1))} systems with several forms and in ${text(rows.filter((r) => formsOf(r) === 1))} with one.`;
}

function chance(results: readonly Result[]): string {
  const all = results.flatMap((r) => r.judged);
  const testable = all.length - countIn(all, "untestable");
  return `**Chance**: of ${all.length} claims ${countIn(all, "shown")} are shown; if every effect were exactly Δ, ${figure(0.025 * testable)} would be.`;
}

function verified(rows: readonly BookRow[]): string {
  const count = rows.filter((r) => r.verified?.how === "bits").length;
  return `**Reproduction**: the first seed of ${count} results has been run again at a later commit with the same bits.`;
}
