import type { Generator } from "@reins/core/random";
import { between, some, until } from "../../tasks/random.ts";
import { type ScriptedPlayer, textTask } from "../../tasks/text-task.ts";
import { novice, seldom } from "./novice.ts";

/** Needs, and the places where users have them. */
const places = { wet: "rain", icy: "snow", hot: "sun", dim: "night", far: "trip", ill: "bed" } as const;
type Need = keyof typeof places;
const needs = Object.keys(places) as Need[];
const sizes = "SML";

/**
 * Number of items and of needs; whether items have sizes, whether users name a place instead of a need, and whether
 * some need more than one apology.
 */
const levels = [
  { things: 4, kinds: 4, sized: false, places: false, proud: false },
  { things: 4, kinds: 2, sized: true, places: false, proud: false },
  { things: 4, kinds: 3, sized: true, places: true, proud: false },
  { things: 5, kinds: 3, sized: true, places: true, proud: true },
];

/** Users with more patience than this are calm and answer questions. */
const cross = 2;

interface User {
  /** The items by number: a need and, where items have sizes, a size. */
  readonly things: readonly string[];
  /** The fitting item. */
  readonly wanted: string;
  readonly patience: number;
  /** Patience that an apology restores to an annoyed user. */
  readonly soothed: number;
  readonly sized: boolean;
  /** Whether the answer to `why?` is a place. */
  readonly places: boolean;
}

interface Mood extends Omit<User, "patience"> {
  patience: number;
  /** Answered questions. */
  readonly answered: string[];
  pleased: boolean;
}

/** Tone of a user: calm or annoyed. */
const sound = (patience: number) => (patience > cross ? "." : "!");

const needOf = (thing: string) => thing.slice(0, 3) as Need;

/** Patience cost of a turn, and the reply. */
function heard(user: Mood, text: string): [cost: number, words: string] {
  const calm = user.patience > cross;
  if (text === "sorry") return calm ? [1, "eh"] : [-user.soothed, "ok"];
  const asked = text === "why?" || (text === "size?" && user.sized);
  // An annoyed user reveals nothing.
  if (asked && !calm) return [1, "no"];
  if (asked) {
    user.answered.push(text);
    const need = needOf(user.wanted);
    return [1, text === "size?" ? user.wanted[3] : user.places ? places[need] : need];
  }
  // A wrong offer is careless, and anything else is rude.
  return [3, /^[1-9]$/.test(text) ? "no" : "eh"];
}

function makeUser(random: Generator, level: number): User {
  const { things: count, kinds, sized, places, proud } = levels[level - 1];
  const used = some(random, kinds, needs);
  const all = sized ? used.flatMap((n) => [...sizes].map((s) => n + s)) : used;
  const withNeed = (thing: string, things: string[]) => things.filter((t) => needOf(t) === needOf(thing));
  // Both answers must matter: another item has the same need, and another one a different need.
  const [wanted, ...others] = until(
    () => some(random, count, all),
    ([first, ...rest]) => !sized || [1, 2].includes(withNeed(first, rest).length),
  );
  return {
    things: some(random, count, [wanted, ...others]),
    wanted,
    // A calm user may be annoyed after one question, and a proud one may need two apologies.
    patience: between(random, proud ? 1 : 2, sized ? 4 : 3),
    soothed: proud && random.chance(0.5) ? 1 : 2,
    sized,
    places,
  };
}

const expert: ScriptedPlayer<User, Mood> = (_, { state: { things, wanted, patience, answered, sized } }) => {
  if (answered.includes("why?") && (!sized || answered.includes("size?")))
    return String(things.indexOf(wanted) + 1);
  if (patience <= cross) return "sorry";
  return answered.includes("why?") ? "size?" : "why?";
};

const anyMove: ScriptedPlayer<User, Mood> = ({ data: { things, sized } }, _, random) =>
  random.choice(["sorry", "why?", ...(sized ? ["size?"] : []), String(between(random, 1, things.length))]);

/**
 * A user who needs one of several items, and has little patience. `hi! 1wet 2hot 3icy` is the greeting and the list
 * of items. `why?` and `size?` ask, a number offers. Replies sound calm (`wet.`) or annoyed (`no!`): an annoyed user
 * reveals nothing until an apology (`sorry`), and a calm user dislikes apologies. Questions cost some patience, and
 * wrong offers or rude words much; a user without patience leaves.
 */
export const moodyUser = textTask<User, Mood>({
  id: "moody-user",
  about: "Find out what an impatient user needs, pay attention to the tone, and make a suitable offer.",
  levels: levels.length,
  alphabet: "abcdefghijklmnoprstuwyz?!. SML0123456789",
  longest: { prompt: 33, answer: 5, conversation: 150 },
  make(random, level) {
    const data = makeUser(random, level);
    const { things, patience } = data;
    const prompt = `hi${sound(patience)} ${things.map((t, i) => `${i + 1}${t}`).join(" ")}`;
    return {
      prompt,
      key: `${prompt} ${data.wanted} ${patience} ${data.soothed}`,
      answer: String(things.indexOf(data.wanted) + 1),
      data,
    };
  },
  verify(_, __, conversation) {
    if (conversation?.state.pleased) return { score: 1 };
    const left = (conversation?.state.patience ?? 0) <= 0;
    return { score: 0, why: left ? "the user went away" : "nothing that fits was offered" };
  },
  episode: {
    turns: 10,
    begin: ({ data }) => ({ ...data, answered: [], pleased: false }),
    turn(user, { content }) {
      if (content === String(user.things.indexOf(user.wanted) + 1)) {
        user.pleased = true;
        return { done: true };
      }
      const [cost, words] = heard(user, content);
      user.patience -= cost;
      return user.patience <= 0 ? { done: true } : { say: words + sound(user.patience) };
    },
    players: {
      expert,
      random: anyMove,
      // Asks all questions, ignoring the user's tone, and then offers the fitting item.
      fixed: ({ data: { sized, things, wanted } }, { state, turns }) => {
        const questions = sized ? ["why?", "size?"] : ["why?"];
        const known = questions.every((q) => state.answered.includes(q));
        return questions[turns] ?? (known ? String(things.indexOf(wanted) + 1) : "1");
      },
      novice: novice(expert, anyMove, 0.2),
      /** Usually stays silent, which is rude, and seldom plays as the expert. */
      beginner: seldom<User, Mood>(expert, "", 0.85),
    },
  },
});
