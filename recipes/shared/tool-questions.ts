import { type MultiTurn, type TextTask, textTask, tool } from "@reins/language";
import { expert, names, type Table, type ToolQuestion } from "./tool-teacher.ts";

/** Settings of {@link toolQuestions}. */
export interface ToolQuestionOptions {
  /** Distinguishes it from others with other settings. */
  readonly id: string;
  /** Share of questions whose answers are to be verified (default 0). */
  readonly verified?: number;
  /** Whether the initial model answers after the last call; the trained model only decides on the calls (default false). */
  readonly frozenAnswerer?: boolean;
}

/** Maximum number of turns. */
export const mostTurns = 8;
const known = names.slice(0, 6);
/** The entries of known names in the first table, in every problem. */
const lasting = Object.fromEntries(known.map((name, i) => [name, names[(5 * i + 8) % 12]]));
/** The most frequent entry, which a guess can exploit. */
const usual = names[11];
/** Shares of entries that are the usual one, and of calls that fail. */
const [common, fails] = [0.2, 0.15];
/** The tables that each level asks for, in sequence. */
const asked: readonly (readonly Table[])[] = [["f"], ["f"], ["g"], ["f", "g"], ["f", "g", "g"]];
const marks = { f: "?", g: "!" };

/**
 * Questions about two tables whose entries are drawn anew in each problem, with a tool for each: `.a?` is answered by `f(a)`, `.a!` by `g(a)`, and `.a?!` by
 * `g` of the result of `f(a)`. Level 1 asks for entries that are the same in every problem; levels 4 and 5 have two and three steps. A call may fail. If
 * a question begins with `v`, its answer is followed by `=`: `+` confirms it, and `-` withdraws it, once.
 */
export function toolQuestions({
  id,
  verified = 0,
  frozenAnswerer = false,
}: ToolQuestionOptions): TextTask<ToolQuestion> {
  return textTask<ToolQuestion, ToolQuestion>({
    id,
    about:
      "Say what belongs to a name in a table, or in several in sequence; f(name) and g(name) look it up.",
    levels: asked.length,
    alphabet: `${names.join("")}fg()?!.v=+-`,
    longest: { prompt: 5, answer: 4, conversation: 56 },
    make(random, level) {
      const drawn = () => (random.chance(common) ? usual : random.choice(names));
      const table = (fixed: { readonly [name: string]: string }) =>
        Object.fromEntries(names.map((name) => [name, fixed[name] ?? drawn()]));
      const entries = { f: table(lasting), g: table({}) };
      const first = random.choice(level === 1 ? known : level === 3 ? names : names.slice(6));
      let answer = first;
      const way = asked[level - 1].map((t) => {
        const call = `${t}(${answer})`;
        answer = entries[t][answer];
        return call;
      });
      const failing = Array.from({ length: mostTurns }, () => random.chance(fails));
      const isVerified = random.chance(verified);
      const question = `${isVerified ? "v" : "."}${first}${asked[level - 1].map((t) => marks[t]).join("")}`;
      const given = { question, entries, way, known: level === 1, failing, verified: isVerified };
      const data = { ...given, done: 0, made: [], answer: null, withdrawn: false, closed: false };
      return { prompt: question, key: `${question} ${random.integers(1e9)}`, answer, data };
    },
    verify({ answer, data: { way, known } }, text, conversation) {
      const { done = 0, made = [], answer: said = text } = conversation?.state ?? {};
      const right = said === answer;
      const missing = known ? 0 : way.length - done;
      const carried = made.filter((m) => m.result !== null).length;
      return {
        score: Number(right),
        terms: {
          calls: made.length,
          needless: known ? carried : carried - done,
          missing,
          unsupported: Number(right && missing > 0),
        },
        wellFormed: said !== null && names.includes(said),
      };
    },
    episode: {
      turns: mostTurns,
      tools: [looking("f"), looking("g")],
      turn(state, { content, name }) {
        if (frozenAnswerer && name !== answerer) {
          state.closed = true;
          return { say: "", to: answerer };
        }
        if (state.answer === null) {
          state.answer = content;
          return state.verified ? { say: "=" } : { done: true };
        }
        if (content !== "-" || state.withdrawn) return { done: true };
        Object.assign(state, { answer: null, withdrawn: true });
        return { say: state.question };
      },
      ...(frozenAnswerer && { roles: { [answerer]: { by: "start", opening } } }),
      players: { expert },
    },
  });
}

/** The role that answers in place of the trained model. */
const answerer = "answerer";

/** The conversation so far, as the answerer sees it. */
const opening: NonNullable<MultiTurn<ToolQuestion, ToolQuestion>["roles"]>[string]["opening"] = (
  _,
  state,
) => [
  { role: "user", content: state.question },
  ...state.made.flatMap(({ call, result }) => [
    { role: "assistant" as const, content: call },
    { role: "tool" as const, content: result ?? "-" },
  ]),
];

/** Looks up a table. Records the call, and whether it is the next one of the way. */
const looking = (table: Table) =>
  tool<{ name: string }, ToolQuestion>({
    name: table,
    about: "What belongs to a name in a table.",
    parameters: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    run({ name }, { state }) {
      const call = `${table}(${name})`;
      const isFailing = state.closed || state.failing[state.made.length];
      const result = !isFailing && names.includes(name) ? state.entries[table][name] : null;
      if (!state.closed) state.made.push({ call, result });
      if (result === null) throw new Error("-");
      if (state.way[state.done] === call) state.done++;
      return result;
    },
  });
