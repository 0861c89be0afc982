import type { Judgement } from "../../claims/judge.ts";
import { figure } from "../../claims/text.ts";
import { findingOf } from "../facts.ts";
import { levelOf } from "../level.ts";
import { counted, type Result } from "../result.ts";
import type { BookRow } from "../rows.ts";
import { firstAddress, linkToFamily } from "./links.ts";
import { scaleOf } from "./scale.ts";

/** Columns of the table of systems. */
export const systemHead = [
  "system",
  "paper",
  "finding",
  "verdict",
  "effect in Δ",
  "n",
  "level",
  "task",
  "minutes",
] as const;

/** Short names of tasks by system: `tasks.json` of a book. */
export interface TaskNames {
  readonly [id: string]: string;
}

/** The line of a measured system. `beds` are the testbeds. */
export function systemLine(row: BookRow, beds: readonly BookRow[], tasks: TaskNames): string[] {
  const { entry, result, system } = row;
  if (!result || entry?.kind !== "recipe") return [];
  const [judged] = result.judged;
  const address = firstAddress(entry.source);
  const bed = beds.find((b) => b.system.id === result.on?.id);
  return [
    linkToFamily(row),
    address ? `[${system.title}](${address})` : system.title,
    firstSentence(findingOf(entry, result) ?? ""),
    `[${judged.verdict}](results/${system.id}.json)${judged.open ? ` (open by ${judged.open})` : ""}`,
    inUnits(result, judged),
    `${new Set(result.blocks.slice(0, counted).flatMap((b) => b.replicates)).size}`,
    levelOf(entry, result) ?? "",
    bed?.system.title.toLowerCase() ?? tasks[system.id] ?? taskOf(entry.deviations[0]),
    figure(Math.max(0.1, Math.round(result.processorSeconds / 6) / 10)),
  ];
}

/** The headline's effect in units of Δ, towards the claim; empty if the claim has no size. */
function inUnits(result: Result, judged: Judgement): string {
  const scale = scaleOf(result.claims[0], judged);
  if (!scale) return "";
  const [estimate, low, high] = scale(judged).map((x) => {
    const text = Math.abs(x) >= 100 ? x.toFixed(0) : x.toFixed(1);
    return text.replace(/^-(0\.0)?$/, "$1").replace("-", "−");
  });
  return `${estimate} (${low} to ${high})`;
}

/** The first sentence of a finding; a number with a decimal point does not end it. */
export const firstSentence = (text: string): string =>
  (text.match(/^.*?[.;](?=\s+[A-Z0-9]|$)/s)?.[0] ?? text).replace(/;$/, ".");

/** The task according to the first deviation: what replaces the paper's task. */
const taskOf = (deviation: string): string =>
  deviation.match(/^(.*?)(?:,|;|\.\s| replaces? | stands? for | in place of |$)/s)?.[1] ?? deviation;
