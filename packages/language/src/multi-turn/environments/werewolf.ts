import type { Generator } from "@reins/core/random";
import { stripped } from "../../tasks/answers.ts";
import { some } from "../../tasks/random.ts";
import { textTask } from "../../tasks/text-task.ts";
import { seldom } from "./novice.ts";

const letters = "abcdefg";

/** Number of players, wolves, statements per player, and questions. */
const sizes = [
  [5, 1, 1, 5],
  [7, 1, 1, 5],
  [5, 2, 2, 8],
  [7, 2, 2, 10],
] as const;

interface Village {
  /** The letters of all players. */
  readonly players: string;
  readonly wolves: string;
  /** The statements of each player, one for each question: `b-` is "b is a wolf", `b+` is "b is not a wolf". */
  readonly statements: { readonly [player: string]: readonly string[] };
}

/** A statement and its player. */
type Heard = readonly [player: string, statement: string];

interface Night extends Village {
  /** Questions left. */
  left: number;
  readonly heard: Heard[];
  vote?: string;
}

/** Whether statements are consistent with a set of wolves: wolves lie, others tell the truth. */
const fits = (heard: readonly Heard[], wolves: string) =>
  heard.every(([by, [of, sign]]) => wolves.includes(by) !== (wolves.includes(of) === (sign === "-")));

/** All sets of wolves consistent with the statements. */
function suspects(players: string, count: number, heard: readonly Heard[]): string[] {
  const sets = (from: number, left: number): string[] =>
    left === 0
      ? [""]
      : [...players.slice(from)].flatMap((p, i) => sets(from + i + 1, left - 1).map((rest) => p + rest));
  return sets(0, count).filter((wolves) => fits(heard, wolves));
}

/**
 * The next player to ask: the last one mentioned with statements left, or else the one with the fewest statements, in
 * alphabetical order.
 */
function next({ players, statements, heard }: Omit<Night, "left">): string {
  const times = (p: string) => heard.filter(([by]) => by === p).length;
  const open = [...players].filter((p) => times(p) < statements[p].length);
  const least = Math.min(...open.map(times));
  const fresh = open.filter((p) => times(p) === least);
  const spoken = heard[heard.length - 1]?.[1][0];
  return fresh.includes(spoken) ? spoken : fresh[0];
}

/** The expert: asks until only one set of wolves is consistent, and votes. It uses no hidden information. */
function reasoned(night: Night): string {
  const sets = suspects(night.players, night.wolves.length, night.heard);
  return sets.length === 1 || night.left === 0 ? `!${sets[0]}` : next(night);
}

/** Whether an expert finds the wolves with this many questions. */
function isFound(village: Village, questions: number): boolean {
  const night: Night = { ...village, left: questions, heard: [] };
  for (;;) {
    const text = reasoned(night);
    if (text[0] === "!") return suspects(village.players, village.wolves.length, night.heard).length === 1;
    answer(night, text);
  }
}

/** A player's next statement, or a dot where it has none left. */
function answer(night: Night, player: string): string {
  const times = night.heard.filter(([by]) => by === player).length;
  const statement: string | undefined = night.statements[player][times];
  night.left--;
  if (statement === undefined) return ".";
  night.heard.push([player, statement]);
  return statement;
}

/** Players, wolves and the statements of all, each about a different player. */
function village(random: Generator, count: number, packs: number, said: number): Village {
  const players = letters.slice(0, count);
  const wolves = some(random, packs, players).sort().join("");
  const statements = Object.fromEntries(
    [...players].map((by) => {
      const others = [...players].filter((p) => p !== by);
      const claim = (of: string) => `${of}${wolves.includes(of) !== wolves.includes(by) ? "-" : "+"}`;
      return [by, some(random, said, others).map(claim)];
    }),
  );
  return { players, wolves, statements };
}

const mostAccused = ({ players, wolves, heard }: Night): string => {
  const count = (p: string) => heard.filter(([, s]) => s === `${p}-`).length;
  const order = [...players].sort((a, b) => count(b) - count(a) || (a < b ? -1 : 1));
  return `!${order.slice(0, wolves.length).sort().join("")}`;
};

/**
 * A village with wolves: `e1?` has players a to e, one of them a wolf. The model writes a player's letter to ask it;
 * the reply is a statement, `b-` for "b is a wolf" and `b+` for "b is not a wolf". Wolves always lie, all others tell
 * the truth. `!b` votes, and ends it.
 */
export const werewolf = textTask<Village, Night>({
  id: "werewolf",
  about:
    "Find the wolves: ask players by their letters. Each accuses (b-) or vouches for (b+) another; wolves lie, others do not. !b votes.",
  levels: sizes.length,
  alphabet: `${letters}0123456789+-!?.`,
  longest: { prompt: 3, answer: 3, conversation: 80 },
  make(random, level) {
    const [count, packs, said, questions] = sizes[level - 1];
    let data: Village;
    do data = village(random, count, packs, said);
    while (!isFound(data, questions));
    const { players, wolves, statements } = data;
    return {
      prompt: `${players[count - 1]}${packs}?`,
      key: `${wolves} ${Object.values(statements).flat().join("")}`,
      answer: `!${wolves}`,
      data,
    };
  },
  verify({ data: { players, wolves } }, _, conversation) {
    const vote = conversation?.state.vote ?? "";
    const named = new Set(vote);
    const formed =
      vote.length === wolves.length &&
      named.size === wolves.length &&
      [...vote].every((p) => players.includes(p));
    // Partial credit for each wolf found.
    const found = [...wolves].filter((w) => named.has(w)).length;
    return {
      score: formed ? found / wolves.length : 0,
      wellFormed: formed,
      why: `The wolves are ${wolves}.`,
    };
  },
  episode: {
    turns: 11,
    begin: ({ data, level }) => ({ ...data, left: sizes[level - 1][3], heard: [] }),
    turn(night, { content }) {
      const text = stripped(content);
      if (text[0] === "!" || night.left <= 0) {
        night.vote = text.slice(1);
        return { done: true };
      }
      if (text.length === 1 && night.players.includes(text)) return { say: answer(night, text) };
      night.left--;
      return { say: "?" };
    },
    players: {
      expert: (_, { state }) => reasoned(state),
      /** Like the expert, but it votes too early one time in six. */
      novice: (_, { state }, random) =>
        random.chance(1 / 6)
          ? `!${random.choice(suspects(state.players, state.wolves.length, state.heard))}`
          : reasoned(state),
      random: (_, { state: { players, wolves, left } }, random) =>
        left === 0 || random.chance(0.25)
          ? `!${some(random, wolves.length, players).sort().join("")}`
          : random.choice(players),
      /** Usually votes for no player, and seldom plays as the expert. */
      beginner: seldom<Village, Night>((_, { state }) => reasoned(state), "!", 0.85),
      /** Asks all players in order, and votes for those with the most accusations. */
      fixed(_, { state, turns }) {
        const { players, left } = state;
        return left === 0 || turns >= players.length * 2
          ? mostAccused(state)
          : players[turns % players.length];
      },
    },
  },
});
