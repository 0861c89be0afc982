import type { Transcript } from "../training/transcripts.ts";
import { type Ink, pad } from "./ink.ts";
import { table } from "./table.ts";

/** Whose word it is, as it stands before it. */
const speakers: { readonly [role: string]: string } = { assistant: "model", user: "world" };

/** A transcript as people read it: who said what, and beside each turn of the model's what it earned and was worth. */
export function transcriptLines(t: Transcript, ink: Ink): string[] {
  const lines: string[] = [];
  let turn = 0;
  for (const { role, content } of t.messages ?? plain(t)) {
    const own = role === "assistant";
    const who = pad(speakers[role] ?? role, 7);
    const beside = own ? besideTurn(t, ++turn) : "";
    const [first, ...rest] = content.split("\n");
    lines.push(`${own ? ink.color(0, who) : ink.dim(who)} ${first}${beside ? `   ${ink.dim(beside)}` : ""}`);
    for (const line of rest) lines.push(`        ${line}`);
  }
  const terms = Object.entries(t.terms ?? {}).map(
    ([name, value]) => `${name} ${number(value ?? Number.NaN)}`,
  );
  const worth = t.score === undefined || t.score === null ? [] : [`score ${number(t.score)}`];
  lines.push("", [`reward ${number(t.reward)}`, ...worth, ...terms].join("   "));
  if (t.failed !== undefined) lines.push(`It failed: ${t.failed}`);
  if (t.segments.length > 1)
    lines.push(`What it saw was put anew ${t.segments.length - 1} times: --tokens shows each.`);
  return lines;
}

/** A single answer as a conversation of two turns. */
const plain = ({ prompt, answer }: Transcript) => [
  { role: "user", content: prompt },
  { role: "assistant", content: answer },
];

/** What a turn earned, and what it was found to be worth on average, over its tokens. */
function besideTurn({ turns, makers, rewards, logProbs, advantages }: Transcript, turn: number): string {
  const own = turns.some((k) => k > 0)
    ? turns.flatMap((k, i) => (k === turn ? [i] : []))
    : makers.flatMap((m, i) => (isOwn(m) ? [i] : []));
  if (own.length === 0) return "";
  const sum = (values: readonly (number | null)[]) => own.reduce((s, i) => s + (values[i] ?? 0), 0);
  return [
    `${own.length} tokens`,
    ...(own.some((i) => isWritten(makers[i])) ? [`log-probability ${number(sum(logProbs))}`] : []),
    ...(sum(rewards) ? [`reward ${number(sum(rewards))}`] : []),
    ...(advantages ? [`advantage ${number(sum(advantages) / own.length)}`] : []),
  ].join(", ");
}

/** Rows of a table with a line for each token. */
export function tokenRows(t: Transcript) {
  const parents = new Map(t.segments.map(({ from, parent }, s) => [from, { s, parent }]));
  const rows = t.tokens.flatMap((token, i) => {
    const opened = parents.get(i);
    const row = [
      `${i}`,
      JSON.stringify(token).slice(1, -1),
      t.makers[i],
      isOwn(t.makers[i]) ? "yes" : "",
      isWritten(t.makers[i]) ? number(t.logProbs[i] ?? 0) : "",
      t.rewards[i] ? number(t.rewards[i]) : "",
      t.advantages && isOwn(t.makers[i]) ? number(t.advantages[i]) : "",
    ];
    if (!opened || opened.s === 0) return [row];
    const { parent } = opened;
    return [["", parent ? `put anew, from after ${parent.step} on` : "put anew", "", "", "", "", ""], row];
  });
  return {
    heading: ["step", "token", "by", "learned", "log-probability", "reward", "advantage"],
    rows: [["", JSON.stringify(t.first).slice(1, -1), "", "", "", "", ""], ...rows],
    right: [0, 4, 5, 6],
  };
}

/** Whether a token is the model's own, or a teacher's in its place. */
const isOwn = (maker: string) => isWritten(maker) || maker === "teacher";

/** Whether the model wrote it itself. Only that has a log-probability; runs of before have a 0 for all others. */
const isWritten = (maker: string) => maker === "policy" || maker === "greedy";

/** A line for each of several. */
export function listLines(all: readonly Transcript[], ink: Ink, width: number | undefined): string[] {
  const rows = all.map((t, i) => [
    `${i + 1}`,
    `${t.step}`,
    t.by,
    number(t.reward),
    `${(t.messages ?? plain(t)).filter((m) => m.role === "assistant").length}`,
    `${t.prompt} → ${t.answer}`.replaceAll("\n", " ").slice(0, 80),
  ]);
  return table(["number", "step", "by", "reward", "turns", "began and ended with"], rows, {
    ink,
    right: [0, 1, 3, 4],
    width,
  });
}

const number = (x: number): string => (Number.isInteger(x) ? `${x}` : x.toPrecision(3));
