import { type TextTask, textTask } from "@reins/language";

/** Names in questions: the answers of the first four are fixed, those of the others are random in each session. */
export const counselNames = [..."abcdefgh"];
const answers = [..."0123"];
const lasting = new Map(counselNames.slice(0, 4).map((name, i) => [name, answers[(3 * i + 1) % 4]]));

/** The cost of the expert's advice, relative to a reward of 1 for a correct answer. */
export const counselPrice = 0.3;

/** A session: the names of its questions in order, and the correct answers. */
export interface Session {
  readonly names: readonly string[];
  readonly right: { readonly [name: string]: string };
}

interface Counsel extends Session {
  /** Number of questions so far. */
  at: number;
  memory: { [name: string]: string };
  /** Correctly answered questions, and uses of the expert. */
  solved: number;
  asked: number;
  recalled: number;
}

/**
 * Questions with an expert and a memory. A turn is an answer (`2`), `!` to pass on the expert's answer at a cost, `!m` to store it too, or
 * `r` to answer from memory; without an entry the reply is `-` and there is another turn. Level 1 has one question, level 2 four.
 */
export function counsel({ id }: { readonly id: string }): TextTask {
  const sizes = [1, 4];
  return textTask<Session, Counsel>({
    id,
    about: "Answer questions by heart, by what was noted, or by an expert who has a price.",
    levels: 2,
    alphabet: `${counselNames.join("")}0123!mr-`,
    longest: { prompt: 1, answer: 2, conversation: 46 },
    make(random, level) {
      const fresh = random.choice(counselNames.slice(4));
      const right = { ...Object.fromEntries(lasting), [fresh]: random.choice(answers) };
      const names = Array.from({ length: sizes[level - 1] }, () =>
        random.chance(0.6) ? fresh : random.choice(counselNames.slice(0, 4)),
      );
      // Filled before the only question of level 1.
      const noted = level === 1 && random.chance(0.5);
      return {
        prompt: names[0],
        key: `${names.join("")}${right[fresh]}${noted}${random.integers(1000)}`,
        answer: right[names[0]],
        data: { names, right, ...(noted ? { noted: fresh } : {}) },
      };
    },
    verify({ data: { names } }, _, conversation) {
      const { solved = 0, asked = 0, recalled = 0 } = conversation?.state ?? {};
      const [accuracy, advice, recall] = [solved, asked, recalled].map((n) => n / names.length);
      // Turns are rewarded immediately, so nothing is left for the end.
      return { score: 0, terms: { worth: accuracy - counselPrice * advice, accuracy, advice, recall } };
    },
    episode: {
      turns: 12,
      begin({ data }) {
        const { noted } = data as { noted?: string };
        const memory = noted === undefined ? {} : { [noted]: data.right[noted] };
        return { ...data, memory, at: 0, solved: 0, asked: 0, recalled: 0 };
      },
      turn(state, { content }) {
        const { names, right, memory } = state;
        const name = names[state.at];
        if (content === "r" && memory[name] === undefined) return { say: "-" };
        const asks = content === "!" || content === "!m";
        if (content === "!m") memory[name] = right[name];
        if (asks) state.asked++;
        if (content === "r") state.recalled++;
        const solved = asks || content === "r" || content === right[name];
        if (solved) state.solved++;
        const reward = ((solved ? 1 : 0) - (asks ? counselPrice : 0)) / names.length;
        return ++state.at === names.length ? { done: true, reward } : { say: names[state.at], reward };
      },
      players: {
        /** Uses all functions, carelessly. */
        expert(_, { state: { names, at }, messages }, random) {
          const name = names[at];
          const missed = messages[messages.length - 1].content === "-";
          if (!missed && random.chance(0.4)) return "r";
          if (random.chance(0.5)) return lasting.get(name) ?? random.choice(answers);
          return random.chance(0.5) ? "!m" : "!";
        },
        /** Always asks the expert. */
        always: () => "!",
        /** Never asks the expert: guesses the answers that it has not memorised. */
        never: (_, { state: { names, at } }, random) => lasting.get(names[at]) ?? random.choice(answers),
        /** The optimal policy: from its weights, from memory, otherwise the expert. */
        best: (_, { state: { names, at, memory } }) =>
          lasting.get(names[at]) ?? (memory[names[at]] === undefined ? "!m" : "r"),
      },
    },
  });
}
