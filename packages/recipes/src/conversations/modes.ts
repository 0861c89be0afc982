import { type Problem, type TextTask, textTask, tool } from "@reins/language";

/** Modes of answering, cheapest first: immediately, after reasoning, with a tool. */
export const modeLetters = [..."irt"];
const names = [..."abcd"];
/** The successor of each name, always the same. */
const byHeart = (name: string) => names[(names.indexOf(name) + 1) % 4];

/** A question and the state of its conversation. */
export interface ModeQuestion {
  /** The names from the question to its answer. */
  readonly path: readonly string[];
  /** The given mode, if any. */
  readonly lead?: string;
  calls: number;
}

/** The letter of the mode of a conversation's first turn. */
export const modeOf = (lead = "", first = ""): string => `${lead}${first}`[0] ?? "";

const led = (problem: Problem<ModeQuestion>, lead: string): Problem<ModeQuestion> => ({
  ...problem,
  prompt: `${problem.prompt}${lead}`,
  data: { ...problem.data, lead },
});

/** Two or more names separated by dots. The answer alone is not reasoning. */
const isThought = (said: string) => /^.(\.\..)+$/.test(said);

/** How often the teacher uses the suitable mode; otherwise one of the three at random. */
const fitting = 0.5;

/**
 * Questions with three modes of answering, given by the first letter: `ib` answers immediately, `ra..b` reasons first and ends with the answer, `tf(a)` calls a tool, which
 * can be called again. Level 1 asks for memorised facts (`a?`), level 2 for two such steps (`a??`), level 3 for random facts that only the tool has (`a!`).
 * Levels 4 to 6 ask the same with forced reasoning, 7 to 9 with forced tool use.
 */
export const modes: TextTask = textTask<ModeQuestion, ModeQuestion>({
  id: "modes",
  about: "Say what belongs to a name: at once, after thinking, or by asking f(name).",
  levels: 9,
  alphabet: `${names.join("")}irtf()?!.-`,
  longest: { prompt: 4, answer: 8, conversation: 30 },
  led,
  make(random, level) {
    const kind = (level - 1) % 3;
    const first = random.choice(names);
    const path = [first, kind === 2 ? random.choice(names) : byHeart(first)];
    if (kind === 1) path.push(byHeart(path[1]));
    const prompt = `${first}${["?", "??", "!"][kind]}`;
    // Memorised facts are asked in training and in testing alike.
    const key = `${prompt} ${random.integers(1e6)}`;
    const problem = { prompt, key, answer: path[path.length - 1], data: { path, calls: 0 }, level };
    return level > 3 ? led(problem, level > 6 ? "t" : "r") : problem;
  },
  verify({ answer, data: { lead = "" } }, text, conversation) {
    const turns = (conversation?.messages ?? []).filter((m) => m.role === "assistant");
    const mode = modeOf(lead, turns[0]?.content ?? text);
    const said = turns.length > 1 ? text : `${lead}${text}`.slice(1);
    const asked = (conversation?.state.calls ?? 0) > 0;
    const right =
      mode === "t"
        ? asked && said === answer
        : !asked && (mode === "r" ? isThought(said) && said.endsWith(answer) : said === answer);
    return {
      score: right && modeLetters.includes(mode) ? 1 : 0,
      terms: { instant: Number(mode === "i"), thinking: Number(mode === "r"), tools: Number(mode === "t") },
    };
  },
  episode: {
    turns: 4,
    tools: [
      tool<{ name: string }, ModeQuestion>({
        name: "f",
        about: "What belongs to a name.",
        parameters: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
        run({ name }, { state: { path }, state }) {
          state.calls++;
          if (!names.includes(name)) throw new Error("-");
          return path[path.indexOf(name) + 1] ?? byHeart(name);
        },
      }),
    ],
    turn(_, { content }) {
      const [, name] = /^tf\((.)\)$/.exec(content) ?? [];
      return name === undefined ? { done: true } : { calls: [{ name: "f", arguments: { name } }] };
    },
    players: {
      expert({ answer, data: { path, lead = "" }, level }, { turns, state: { calls } }, random) {
        if (turns > 0) return calls < path.length - 1 ? `f(${path[calls]})` : answer;
        const kind = (level - 1) % 3;
        const mode = lead || (random.chance(fitting) ? modeLetters[kind] : random.choice(modeLetters));
        const guess = random.choice(names);
        const whole = {
          i: `i${kind === 0 ? answer : guess}`,
          r: `r${(kind === 2 ? [path[0], guess] : path).join("..")}`,
          t: `tf(${path[0]})`,
        }[mode];
        return whole!.slice(lead.length);
      },
    },
  },
});
