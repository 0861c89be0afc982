import { didYouMean } from "@reins/core/errors";
import { claimText, coverageTexts, effectOf, type Recipe } from "@reins/recipes";
import {
  attemptTexts,
  type BookRow,
  counted as countedBlocks,
  factsOf,
  findingOf,
  levelOf,
  type Result,
  stateOf,
} from "@reins/recipes/book";
import { usageError } from "../../cli/usage.ts";
import { counted, short, time, wrap } from "../../terminal/format.ts";
import { type Io, inkOf, print } from "../../terminal/io.ts";
import { table } from "../../terminal/table.ts";
import type { RecipeFlags } from "./flags.ts";
import { readRows } from "./list.ts";

/** `reins recipes show` */
export async function show(id: string, flags: RecipeFlags, io: Io): Promise<number> {
  const { rows } = await readRows(flags);
  const row = rows.find((r) => r.system.id === id);
  if (!row)
    return usageError(
      `unknown method ${id}.${didYouMean(
        id,
        rows.map((r) => r.system.id),
      )}`,
    );
  const { entry, result, history, verified } = row;
  if (flags.json) {
    print(io.out, JSON.stringify({ ...row.system, state: stateOf(row), result, history, verified }));
    return 0;
  }
  const ink = inkOf(io.out);
  print(io.out, ink.bold(id), row.system.title, "");
  if (!entry) {
    print(io.out, "No recipe yet. See docs/recipes.md for how to write one.");
    return 0;
  }
  print(io.out, ...wrap(entry.about, 100), "");
  if (entry.kind === "mapped") {
    print(io.out, ...coverageTexts(entry.covers).flatMap((text) => wrap(text, 100)));
    return 0;
  }
  print(io.out, ...aboutLines(entry), "");
  if (!result) print(io.out, `Not measured yet. Run: reins recipes run ${id}`);
  else print(io.out, ...resultLines(entry, result));
  print(io.out, ...historyLines(row));
  return 0;
}

function aboutLines(r: Recipe): string[] {
  const row = (what: string, text: string) => `${what.padEnd(12)}${text}`;
  const names = { system: r.system.name, baselines: r.baselines.map((b) => b.name), metrics: r.metrics };
  const grid = Object.entries(r.grid ?? r.system.grid ?? {}).map(([k, v]) => `${k} ${v.join(", ")}`);
  const bullets = (list: readonly string[]) =>
    list.flatMap((d) => wrap(d, 96).map((line, i) => (i ? `    ${line}` : `  · ${line}`)));
  return [
    row("source", r.source),
    row(
      "compares",
      names.baselines.length ? `${r.system.name} with ${names.baselines.join(", ")}` : r.system.name,
    ),
    row("budget", `${short(r.budget.full)} ${r.budget.unit} per run`),
    row("tuned over", grid.join("; ") || "nothing"),
    ...(r.ablations?.length ? [row("ablations", r.ablations.map((s) => s.name).join(", "))] : []),
    "Claims",
    ...bullets(
      r.claims.map((c) => `${claimText(c, names)} (${c.because}${c.paper ? `; the paper: ${c.paper}` : ""})`),
    ),
    "Deviations",
    ...bullets(r.deviations),
  ];
}

/** A result as text. */
export function resultLines(recipe: Recipe, result: Result): string[] {
  const { claims, judged, blocks, plan, tuning, wallSeconds, processorSeconds } = result;
  const facts = factsOf(result);
  // An arm may have metrics that others lack.
  const meanOf = (side: string, value: string) =>
    blocks[0].values[side][value] ? facts.mean(side, value) : "";
  const sides = Object.keys(blocks[0].values);
  const shown = Object.keys(result.metrics);
  const more = [...new Set(sides.flatMap((s) => Object.keys(blocks[0].values[s])))].filter(
    (m) => !shown.includes(m),
  );
  const settings = (s: object) =>
    Object.entries(s)
      .map(([k, v]) => `${k} ${typeof v === "number" ? short(v) : v}`)
      .join(", ");
  const finding = findingOf(recipe, result);
  // Ablation arms run on the first few seeds only, so their means are over other seeds.
  const partly = (side: string) => {
    const runs = blocks
      .slice(0, countedBlocks)
      .map((b) => b.values[side][shown[0]].filter(Number.isFinite).length);
    const [few, all] = [runs.reduce((a, b) => a + b, 0), facts.count];
    return few < all && typeof recipe.replicates !== "object" ? ` (${few} of ${all} seeds)` : "";
  };
  const edges = tuning.flatMap((t) => (t.edges ?? []).map((e) => `${t.side} is still at the edge of ${e}`));
  return [
    ...claims.flatMap((claim, i) => [
      `${judged[i].verdict}${judged[i].open ? ` (open by ${judged[i].open})` : ""}: ${claimText(claim, result)}: ${effectOf(claim, judged[i])}`,
      ...blocks.map((b, at) => {
        const own = b.judged![i];
        const last = b.firstSeed + b.replicates.length - 1;
        const kind = at < countedBlocks ? "" : " (check)";
        return `    seeds ${b.firstSeed} to ${last}${kind}: ${own.verdict}, ${effectOf(claim, { ...own, note: undefined })}`;
      }),
    ]),
    ...(result.judgedBefore ?? []).map(
      (b) => `Judged before as ${b.verdicts.join(", ")}; changed because ${b.because}.`,
    ),
    ...(finding ? ["", ...wrap(finding, 100)] : []),
    "",
    ...table(
      ["arm", ...shown, "settings"],
      sides.map((s) => [
        `${s}${partly(s)}`,
        ...shown.map((m) => meanOf(s, m)),
        settings(result.settings[s] ?? {}),
      ]),
    ),
    ...(more.length
      ? [
          "",
          ...table(
            ["also measured", ...sides],
            more.map((m) => [m, ...sides.map((s) => meanOf(s, m))]),
          ),
        ]
      : []),
    "",
    `${counted(plan.replicates, "replicate")} per block: ${plan.needed} detect the smallest effect with 80% power${plan.most ? `, at most ${plan.most} within the time limit` : ""}.${edges.length ? ` Tuning: ${edges.join("; ")}.` : ""}`,
    `Level ${levelOf(recipe, result)}${result.continuation ? `; after the first look: ${result.continuation}` : ""}${result.on ? `; on the testbed ${result.on.id}` : ""}.`,
    ...(result.testbed ? testbedLines(result.testbed) : []),
    `Measured on ${result.measuredAt} with ${result.machine.backend} on ${result.machine.processor}, in ${time(wallSeconds)} (${time(processorSeconds)} of one core).`,
  ];
}

/** The measured conditions of a testbed. */
function testbedLines({ conditions, noise, spread }: NonNullable<Result["testbed"]>): string[] {
  const found = Object.entries(conditions).map(([name, value]) => `${name} ${short(value)}`);
  return [
    `Conditions: ${found.join(", ")}.`,
    `Paired differences have a standard deviation of ${short(spread)}, at most ${Math.round(100 * noise)}% of whose variance is evaluation noise.`,
  ];
}

function historyLines({ history, verified }: BookRow): string[] {
  return [
    ...(verified
      ? [
          verified.how === "moved"
            ? `On ${verified.at} the numbers differed: the recipe must be measured again.`
            : `Verified on ${verified.at}: ${verified.how === "bits" ? "bit for bit" : "three replicates are within the prediction interval of the recorded ones"}.`,
        ]
      : []),
    ...(history.length ? ["", "Earlier measurements"] : []),
    ...history.flatMap((a) => [
      ...(a.claims.length ? [] : [`  seeds ${a.firstSeed} to ${a.lastSeed}: not finished, ${a.because}.`]),
      ...attemptTexts(a).map(
        (text) => `  seeds ${a.firstSeed} to ${a.lastSeed}: ${text}. Measured again because ${a.because}.`,
      ),
    ]),
  ];
}
