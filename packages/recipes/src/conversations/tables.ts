import { type MultiTurn, type TextTask, textTask, tool } from "@reins/language";

/** Names in questions and answers. */
export const tableNames = [..."abcdehijklmn"];
const at = (name: string) => tableNames.indexOf(name);
/** The entries of the two tables, always the same. */
const tables = {
  f: (name: string) => tableNames[(5 * at(name) + 2) % 12],
  g: (name: string) => tableNames[(7 * at(name) + 5) % 12],
};
/** A tool's name, which is its table's. */
export type TableName = keyof typeof tables;

/** A question and the state of its conversation. */
export interface TableQuestion {
  /** The calls that lead to the answer, in order. */
  readonly way: readonly string[];
  /** Whether the teacher has memorised the answer, so that no call is needed. */
  readonly known: boolean;
  /** Number of these calls made so far. */
  done: number;
}

/** Settings of {@link tableQuestions}. */
export interface QuestionTableOptions
  extends Pick<MultiTurn<TableQuestion, TableQuestion>, "tools" | "turn"> {
  /** Distinguishes it from others with other settings. */
  readonly id?: string;
}

/** The teacher's error rates: looks up what it knows, guesses what it does not, uses the wrong table, stops halfway. */
const [needless, hasty, astray, early] = [0.6, 0.35, 0.25, 0.4];

/**
 * Questions about two tables, each with a tool: `a?` is answered by `f(a)`, `a!` by `g(a)`, and `a?!` by `g` of the result of `f(a)`. Level 1 asks for
 * the memorised half of the first table, level 2 for the other half, level 3 for the second table, level 4 for both in sequence.
 */
export function tableQuestions({ id = "tables", ...own }: QuestionTableOptions = {}): TextTask {
  return textTask<TableQuestion, TableQuestion>({
    id,
    about: "Say what belongs to a name in a table, or in two; f(name) and g(name) look it up.",
    levels: 4,
    alphabet: `${tableNames.join("")}fg()?!-`,
    longest: { prompt: 3, answer: 4, conversation: 28 },
    make(random, level) {
      const some = level === 1 ? tableNames.slice(0, 6) : level === 2 ? tableNames.slice(6) : tableNames;
      const name = random.choice(some);
      const asked: TableName[] = [["f"], ["f"], ["g"], ["f", "g"]][level - 1] as TableName[];
      let answer = name;
      const way = asked.map((table) => {
        const call = `${table}(${answer})`;
        answer = tables[table](answer);
        return call;
      });
      const prompt = `${name}${asked.map((table) => (table === "f" ? "?" : "!")).join("")}`;
      // Training and testing have the same tables and questions.
      const key = `${prompt} ${random.integers(1e6)}`;
      return { prompt, key, answer, data: { way, known: level === 1, done: 0 } };
    },
    verify({ answer, data: { way, known } }, text, conversation) {
      const calls = (conversation?.messages ?? []).reduce((sum, m) => sum + (m.calls?.length ?? 0), 0);
      const { done = 0 } = conversation?.state ?? {};
      const right = text === answer ? 1 : 0;
      return {
        score: right,
        terms: { needless: known ? calls : calls - done, missing: known ? 0 : way.length - done },
        wellFormed: tableNames.includes(text),
      };
    },
    episode: {
      turns: 4,
      tools: [looking("f"), looking("g")],
      ...own,
      players: {
        expert({ answer, data: { way, known } }, { state, turns, messages }, random) {
          if (known) return turns === 0 && random.chance(needless) ? way[0] : answer;
          const said = messages[messages.length - 1].content;
          if (turns > state.done || state.done === way.length) return said;
          if (turns === 0 && random.chance(hasty)) return random.choice(tableNames);
          if (turns > 0 && random.chance(early)) return said;
          const next = way[turns];
          return random.chance(astray) ? `${next[0] === "f" ? "g" : "f"}${next.slice(1)}` : next;
        },
      },
    },
  });
}

/** Looks up a table, and counts the call if it is the next needed one. */
const looking = (table: TableName) =>
  tool<{ name: string }, TableQuestion>({
    name: table,
    about: "What belongs to a name in a table.",
    parameters: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    run({ name }, { state }) {
      // A small model reads only one character of the error.
      if (!tableNames.includes(name)) throw new Error("-");
      if (state.way[state.done] === `${table}(${name})`) state.done++;
      return tables[table](name);
    },
  });
