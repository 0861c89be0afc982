import { isLearned, isWritten } from "../training/token-lists.ts";
import { type Reply, sumsOf } from "../training/transcript-replies.ts";
import type { Transcript } from "../training/transcripts.ts";
import { type Ink, pad } from "./ink.ts";
import { table } from "./table.ts";

/** Roles of messages as they are printed before them. */
const speakers: { readonly [role: string]: string } = { assistant: "model" };

/** A transcript as people read it: each message with its speaker, and beside each reply its tokens, log-probability, reward and advantage. */
export function transcriptLines(t: Transcript, ink: Ink): string[] {
  const messages: readonly Spoken[] = t.messages ?? plain(t);
  const replies = new Map((t.replies ?? repliesOf(t, messages)).map((reply) => [reply.message, reply]));
  const names = messages.map(({ role, name }) => (role === "assistant" && name) || speakers[role] || role);
  const width = Math.max(7, ...names.map((name) => name.length));
  const lines = messages.flatMap(({ content }, i) => {
    const reply = replies.get(i);
    const who = pad(names[i], width);
    const beside = reply ? besideReply(reply) : "";
    const [first, ...rest] = content.split("\n");
    return [
      `${reply ? ink.color(0, who) : ink.dim(who)} ${first}${beside ? `   ${ink.dim(beside)}` : ""}`,
      ...rest.map((line) => `${" ".repeat(width)} ${line}`),
    ];
  });
  const terms = Object.entries(t.terms ?? {}).map(
    ([name, value]) => `${name} ${number(value ?? Number.NaN)}`,
  );
  const score = t.score === undefined || t.score === null ? [] : [`score ${number(t.score)}`];
  lines.push("", [`reward ${number(t.reward)}`, ...score, ...terms].join("   "));
  if (t.failed !== undefined) lines.push(`Failed: ${t.failed}`);
  if (t.segments.length > 1)
    lines.push(`The context was rewritten ${t.segments.length - 1} times: --tokens shows each segment.`);
  return lines;
}

/** A message, of which only these parts are printed. */
interface Spoken {
  readonly role: string;
  readonly content: string;
  readonly name?: string;
}

/** A single answer as a conversation of two messages. */
const plain = ({ prompt, answer }: Transcript): Spoken[] => [
  { role: "user", content: prompt },
  { role: "assistant", content: answer },
];

/** The replies of a transcript without a list of them: a single answer, or a run of an earlier version. */
function repliesOf(t: Transcript, messages: readonly Spoken[]): Reply[] {
  let turn = 0;
  return messages.flatMap(({ role, name }, message) =>
    role === "assistant" && name === t.role ? [{ message, ...sumsOf(t, ++turn) }] : [],
  );
}

function besideReply({ tokens, logProb, reward, advantage }: Reply): string {
  if (tokens === undefined) return "";
  return [
    tokens === 1 ? "1 token" : `${tokens} tokens`,
    ...(logProb === undefined ? [] : [`log-probability ${number(logProb)}`]),
    ...(reward ? [`reward ${number(reward)}`] : []),
    ...(advantage === undefined ? [] : [`advantage ${number(advantage)}`]),
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
      isLearned(t.makers[i]) ? "yes" : "",
      isWritten(t.makers[i]) ? number(t.logProbs[i] ?? 0) : "",
      t.rewards[i] ? number(t.rewards[i]) : "",
      t.advantages && isLearned(t.makers[i]) ? number(t.advantages[i]) : "",
    ];
    if (!opened || opened.s === 0) return [row];
    const { parent } = opened;
    const from = parent ? `context rewritten, continues after step ${parent.step}` : "context rewritten";
    return [["", from, "", "", "", "", ""], row];
  });
  return {
    heading: ["step", "token", "by", "learned", "log-probability", "reward", "advantage"],
    rows: [["", JSON.stringify(t.first).slice(1, -1), "", "", "", "", ""], ...rows],
    right: [0, 4, 5, 6],
  };
}

/** Transcripts as a table, a line each. */
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
