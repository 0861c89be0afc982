import { type Family, family, type Problem, tool } from "@reins/language";

/** Ways to answer, the cheapest first: at once, after thinking, with a tool. */
export const modeLetters = [..."irt"];
const names = [..."abcd"];
/** What belongs to each name, always the same. */
const byHeart = (name: string) => names[(names.indexOf(name) + 1) % 4];

/** A question, and how far its conversation has come. */
export interface ModeQuestion {
  /** The names from the question to its answer. */
  readonly path: readonly string[];
  /** The way to answer that was given, where one was. */
  readonly lead?: string;
  calls: number;
}

/** The letter of the way that a conversation's first turn takes. */
export const modeOf = (lead = "", first = ""): string => `${lead}${first}`[0] ?? "";

const led = (problem: Problem<ModeQuestion>, lead: string): Problem<ModeQuestion> => ({
  ...problem,
  prompt: `${problem.prompt}${lead}`,
  data: { ...problem.data, lead },
});

/** Names with dots between them, two at least. Who says the answer alone has not thought. */
const isThought = (said: string) => /^.(\.\..)+$/.test(said);

/** How often the one who is imitated takes the way that fits; any of the three otherwise. */
const fitting = 0.5;

/**
 * Questions that can be answered in three ways, said by the first letter: `ib` answers at once, `ra..b` thinks first and ends with the answer, `tf(a)` asks a tool, which
 * may be asked again. Level 1 asks for what is known by heart (`a?`), level 2 for two such steps (`a??`), level 3 for what only the tool knows, anew in each problem (`a!`).
 * Levels 4 to 6 ask the same where all must think, 7 to 9 where all must ask the tool.
 */
export const modes: Family = family<ModeQuestion, ModeQuestion>({
  id: "modes",
  about: "Say what belongs to a name: at once, after thinking, or by asking f(name).",
  levels: 9,
  alphabet: `${names.join("")}irtf()?!.-`,
  longest: { prompt: 4, answer: 8, talk: 30 },
  turns: 4,
  led,
  make(random, level) {
    const kind = (level - 1) % 3;
    const first = random.choice(names);
    const path = [first, kind === 2 ? random.choice(names) : byHeart(first)];
    if (kind === 1) path.push(byHeart(path[1]));
    const prompt = `${first}${["?", "??", "!"][kind]}`;
    // What is known by heart is asked in training and in testing alike.
    const key = `${prompt} ${random.integers(1e6)}`;
    const problem = { prompt, key, answer: path[path.length - 1], data: { path, calls: 0 }, level };
    return level > 3 ? led(problem, level > 6 ? "t" : "r") : problem;
  },
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
  verify({ answer, data: { lead = "" } }, text, talk) {
    const turns = (talk?.messages ?? []).filter((m) => m.role === "assistant");
    const mode = modeOf(lead, turns[0]?.content ?? text);
    const said = turns.length > 1 ? text : `${lead}${text}`.slice(1);
    const asked = (talk?.state.calls ?? 0) > 0;
    const right =
      mode === "t"
        ? asked && said === answer
        : !asked && (mode === "r" ? isThought(said) && said.endsWith(answer) : said === answer);
    return {
      score: right && modeLetters.includes(mode) ? 1 : 0,
      terms: { instant: Number(mode === "i"), thinking: Number(mode === "r"), tools: Number(mode === "t") },
    };
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
});
