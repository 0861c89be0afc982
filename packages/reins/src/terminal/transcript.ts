import { isLearned, isWritten } from "../training/token-lists.ts";
import { type Reply, sumsOf } from "../training/transcript-replies.ts";
import type { Transcript } from "../training/transcripts.ts";
import { type Ink, pad } from "./ink.ts";
import { table } from "./table.ts";

/** Printed names of roles. */
const roleNames: { readonly [role: string]: string } = { assistant: "model" };

/** A transcript as text: each message with its role, and each reply with its tokens, log-probability, reward and advantage. */
export function transcriptLines(t: Transcript, ink: Ink): string[] {
  const messages: readonly PrintedMessage[] = t.messages ?? plain(t);
  const replies = new Map((t.replies ?? repliesOf(t, messages)).map((reply) => [reply.message, reply]));
  const names = messages.map(({ role, name }) => (role === "assistant" && name) || roleNames[role] || role);
  const width = Math.max(7, ...names.map((name) => name.length));
  const lines = messages.flatMap(({ content }, i) => {
    const reply = replies.get(i);
    const label = pad(names[i], width);
    const beside = reply ? replyText(reply) : "";
    const [first, ...rest] = content.split("\n");
    return [
      `${reply ? ink.color(0, label) : ink.dim(label)} ${first}${beside ? `   ${ink.dim(beside)}` : ""}`,
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

/** The printed parts of a message. */
interface PrintedMessage {
  readonly role: string;
  readonly content: string;
  readonly name?: string;
}

/** A single completion as a conversation of two messages. */
const plain = ({ prompt, answer }: Transcript): PrintedMessage[] => [
  { role: "user", content: prompt },
  { role: "assistant", content: answer },
];

/** The replies of a transcript that has no list of them: a single completion, or a run of an earlier version. */
function repliesOf(t: Transcript, messages: readonly PrintedMessage[]): Reply[] {
  let turn = 0;
  return messages.flatMap(({ role, name }, message) =>
    role === "assistant" && name === t.role ? [{ message, ...sumsOf(t, ++turn) }] : [],
  );
}

function replyText({ tokens, logProb, reward, advantage }: Reply): string {
  if (tokens === undefined) return "";
  return [
    tokens === 1 ? "1 token" : `${tokens} tokens`,
    ...(logProb === undefined ? [] : [`log-probability ${number(logProb)}`]),
    ...(reward ? [`reward ${number(reward)}`] : []),
    ...(advantage === undefined ? [] : [`advantage ${number(advantage)}`]),
  ].join(", ");
}

/** A table with one row per token. */
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

/** Transcripts as a table. */
export function listLines(all: readonly Transcript[], ink: Ink, width: number | undefined): string[] {
  const rows = all.map((t, i) => [
    `${i + 1}`,
    `${t.step}`,
    t.by,
    number(t.reward),
    `${(t.messages ?? plain(t)).filter((m) => m.role === "assistant").length}`,
    `${t.prompt} → ${t.answer}`.replaceAll("\n", " ").slice(0, 80),
  ]);
  return table(["number", "tokens", "by", "reward", "turns", "prompt and last reply"], rows, {
    ink,
    right: [0, 1, 3, 4],
    width,
  });
}

const number = (x: number): string => (Number.isInteger(x) ? `${x}` : x.toPrecision(3));
