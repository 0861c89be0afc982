import type { Generator } from "@reins/core/random";
import { some, until } from "../../tasks/random.ts";
import { type ConversationState, type Problem, textTask } from "../../tasks/text-task.ts";
import {
  describeRoom,
  enter,
  floor,
  type House,
  needed,
  next,
  obey,
  openable,
  thingIn,
  type Visit,
  wise,
} from "./adventure-house.ts";
import { allWays, back, grow, type Way, walk } from "./compass.ts";
import { novice, seldom } from "./novice.ts";

const names = "ABCDEFGH";

/** Number of rooms, doors and turns. */
const sizes = [
  [4, 1, 10],
  [6, 1, 14],
  [8, 1, 18],
  [8, 2, 26],
] as const;

function build(random: Generator, level: number): House {
  const [rooms, doors, most] = sizes[level - 1];
  const ways = grow(random, floor, rooms, 0.5);
  const cells = ways.flatMap((out, cell) => (out ? [cell] : []));
  const letters = some(random, rooms, names);
  const [start, gold, ...keys] = some(random, 2 + doors, cells);
  // The last door hides the gold, each other one the key of the next.
  const behind = [...keys.slice(1), gold];
  const house = {
    names: ways.map((out) => (out ? letters.pop()! : " ")).join(""),
    ways,
    doors: [],
    keys,
    gold,
    start,
    most,
  };
  const all = next(enter(house));
  return {
    ...house,
    doors: behind.map((room) => {
      const way = back(walk(start, all, (r) => r === room)!.slice(-1) as Way);
      return { room, way };
    }),
  };
}

const expert = (_: Problem<House>, { state }: ConversationState<Visit>): string => wise(state);

const commands = [...allWays, "take", "open", "look"];

const chance = (_: Problem<House>, __: ConversationState<Visit>, random: Generator): string =>
  random.choice(commands);

/**
 * A house of rooms with a treasure behind a door. Each turn is a command: `n`, `e`, `s`, `w` to go (`go n` too),
 * `take`, `open`, `look`. A room is described as `B:ns1 k1`: room B, exits north and south, the southern one behind
 * door 1, and key 1 lies there. `g` is the gold.
 */
export const adventure = textTask<House, Visit>({
  id: "adventure",
  about: "Find the keys of a house, open its doors and take the gold.",
  levels: sizes.length,
  alphabet: `${names}12:? acehklnopstugw`,
  longest: { prompt: 11, answer: 4, conversation: 420 },
  make(random, level) {
    const house = until(
      () => build(random, level),
      // Leave some turns for errors.
      (drawn) => needed(drawn) <= drawn.most * 0.8,
    );
    return {
      prompt: describeRoom(enter(house)),
      key: JSON.stringify(house),
      answer: wise(enter(house)),
      data: house,
    };
  },
  /** Keys and doors on the way to the gold score up to a half. */
  verify(_, __, conversation) {
    if (!conversation) return { score: 0 };
    const { won, held, opened } = conversation.state;
    if (won) return { score: 1 };
    const done = [...held, ...opened];
    const part = done.filter(Boolean).length / done.length;
    return {
      score: part / 2,
      terms: { way: part },
      why: "The gold was not taken; keys and doors count for half.",
    };
  },
  episode: {
    turns: 26,
    begin: ({ data }) => enter(data),
    turn(visit, { content }) {
      visit.turns++;
      const say = obey(visit, content);
      return say === undefined || visit.turns >= visit.house.most ? { done: true } : { say };
    },
    players: {
      expert,
      random: chance,
      novice: novice(expert, chance),
      /** Usually stays silent, and seldom plays as the expert. */
      beginner: seldom<House, Visit>(expert, "", 0.85),
      /** Takes and opens what it can, and otherwise moves at random: it has no memory of rooms. */
      fixed: (_, { state }, random) => {
        if (thingIn(state, state.at)) return "take";
        if (openable(state, state.at).length) return "open";
        return random.choice(next(state)(state.at))[0];
      },
    },
  },
});
