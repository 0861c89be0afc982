import { type Message, type MultiTurn, type TextTask, textTask, tool } from "@reins/language";

/** Names in questions. The answers of the first half are the same in every problem, so they can be memorised. */
export const lookupNames = [..."abcdefghijkl"];
const drawn = lookupNames.slice(6);
const lasting = new Map(lookupNames.slice(0, 6).map((name, i) => [name, "ghijkl"[(5 * i + 2) % 6]]));

/** Whether the answer of a name is the same in every problem. */
export const fromMemory = (name: string): boolean => lasting.has(name);

/** The facts of a problem. */
export interface LookupFacts {
  /** The names from the question to its answer. */
  readonly path: readonly string[];
  readonly facts: { readonly [name: string]: string };
}

/** Settings of {@link lookups}. */
export interface LookupOptions
  extends Pick<MultiTurn<LookupFacts, LookupFacts>, "turnReward" | "belief" | "gate" | "rebuild"> {
  /** Distinguishes it from others, because the closures of its functions are not visible. */
  readonly id: string;
  /** Its reward, from correctness and calls (default: correct or wrong). */
  readonly worth?: (right: boolean, calls: number, facts: LookupFacts) => number;
  /** How often the teacher looks up what can be memorised (default 0.5), and answers what cannot without a lookup (default 0.5). */
  readonly needless?: number;
  readonly hasty?: number;
  /** How often the teacher looks up an irrelevant name (default 0). */
  readonly astray?: number;
  /** The prefix of an answer, which distinguishes it from a call (default: none). */
  readonly mark?: string;
  /** The cost of a call (default 0). */
  readonly price?: number;
}

/**
 * Questions with a tool: `a?` asks for the successor of `a`, `a??` for the successor of that. `f(a)` looks it up. Level 1 asks for facts that can be
 * memorised, level 2 for random facts of the problem, level 3 for two steps with a random second one, levels 4 and 5 for two and three random steps.
 */
export function lookups(o: LookupOptions): TextTask {
  const {
    id,
    needless = 0.5,
    hasty = 0.5,
    astray = 0,
    mark = "",
    price = 0,
    worth = (right) => (right ? 1 : 0),
  } = o;
  const others = ({ turnReward, belief, gate, rebuild }: LookupOptions) => ({
    turnReward,
    belief,
    gate,
    rebuild,
  });
  return textTask<LookupFacts, LookupFacts>({
    id,
    about: "Say what belongs to a name; f(name) looks it up.",
    levels: 5,
    alphabet: `${lookupNames.join("")}f()?-${mark}`,
    longest: { prompt: 4, answer: 4, conversation: 30 },
    make(random, level) {
      const facts = Object.fromEntries(
        // Paths of several random steps use only names that cannot be memorised.
        lookupNames.map((name) => [
          name,
          lasting.get(name) ?? random.choice(level > 3 ? drawn : lookupNames),
        ]),
      );
      const first = random.choice(level === 1 || level === 3 ? lookupNames.slice(0, 6) : drawn);
      const path = [first];
      for (let i = 0; i < [1, 1, 2, 2, 3][level - 1]; i++) path.push(facts[path[i]]);
      const prompt = `${first}${"?".repeat(path.length - 1)}`;
      // Memorised facts are asked in training and in testing alike.
      const key = `${prompt} ${Object.values(facts).join("")}`;
      return { prompt, key, answer: `${mark}${path[path.length - 1]}`, data: { path, facts } };
    },
    verify({ answer, data }, text, conversation) {
      const calls = askedIn(conversation?.messages ?? []).length;
      const right = text === answer;
      const needed = data.path.slice(0, -1).filter((name) => !lasting.has(name)).length;
      return {
        score: worth(right, calls, data),
        terms: { right: right ? 1 : 0, needless: Math.max(0, calls - needed) },
        wellFormed: text.startsWith(mark) && lookupNames.includes(text.slice(mark.length)),
      };
    },
    episode: {
      ...(Object.fromEntries(Object.entries(others(o)).filter(([, v]) => v !== undefined)) as object),
      turns: 5,
      tools: [
        tool<{ name: string }, LookupFacts>({
          name: "f",
          about: "What belongs to a name.",
          parameters: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
          price,
          run: ({ name }, { state }) => (Object.hasOwn(state.facts, name) ? state.facts[name] : "-"),
        }),
      ],
      players: {
        expert({ data: { path } }, { messages }, random) {
          const known = askedIn(messages);
          const next = path.slice(0, -1).find((name) => !known.includes(name));
          if (next === undefined) return `${mark}${path[path.length - 1]}`;
          if (astray > 0 && random.chance(astray)) return `f(${random.choice(drawn)})`;
          const asks = lasting.has(next) ? random.chance(needless) : !random.chance(hasty);
          return asks
            ? `f(${next})`
            : `${mark}${lasting.has(next) && path.length === 2 ? path[1] : random.choice(lookupNames)}`;
        },
      },
    },
  });
}

/** The names that were looked up, in order. */
const askedIn = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap((m) => m.calls ?? []).map((c) => (c.arguments as { name: string }).name);

/** The result of an answer, and the lookups before it. */
export interface LookupOutcome extends LookupFacts {
  readonly right: boolean;
  readonly asked: readonly string[];
}

/** A reward for the last turn of a conversation about {@link lookups}, besides its score. */
export const answerReward =
  (worth: (outcome: LookupOutcome) => number): NonNullable<LookupOptions["turnReward"]> =>
  ({ state, messages }, { calls, content }, answers) =>
    calls || answers.length
      ? 0
      : worth({ ...state, right: content === state.path[state.path.length - 1], asked: askedIn(messages) });
