import type { Generator } from "@reins/core/random";
import { many, some, until } from "../random.ts";
import { worded } from "../single.ts";

const relations = ["pal", "mum", "pet", "fan"];

/** Number of facts, relations and questions, and steps of each question. */
const sizes = [
  [2, 1, 1, 1],
  [4, 1, 1, 1],
  [5, 2, 1, 1],
  [6, 2, 1, 2],
  [8, 3, 1, 2],
  [9, 4, 1, 3],
  [8, 3, 2, 3],
  [7, 3, 3, 3],
] as const;

/** Multi-hop questions: `bo pal ki,ki mum lu?bo pal mum` asks for the mum of the pal of bo, which is lu. */
export const facts = worded({
  id: "facts",
  about: "Answer questions from facts, over several steps.",
  levels: sizes.length,
  alphabet: "abcdefghijklmnopqrstuvwxyz ,?=",
  longest: { prompt: 120, answer: 8 },
  form: /^[a-z]+(?:,[a-z]+)*$/,
  make(random, level) {
    const [count, kinds, questions, steps] = sizes[level - 1];
    const [known, asked] = until(
      () => corpus(random, count, kinds, questions, steps),
      ([known, asked]) =>
        known.length === count && new Set(asked.map(([question]) => question)).size === questions,
    );
    return [
      `${random.permutation(known).join(",")}?${asked.map(([question]) => question).join(",")}=`,
      asked.map(([, answer]) => answer).join(","),
    ];
  },
});

/**
 * Chains of facts for the questions, then distractors about the same names, so that only the right chain leads to the
 * answer.
 */
function corpus(
  random: Generator,
  count: number,
  kinds: number,
  questions: number,
  steps: number,
): [string[], [string, string][]] {
  const used = some(random, kinds, relations);
  // Each consonant once, so that names are distinct.
  const names = some(random, count + 1, "bcdfghjklmnpqrstvwxz").map((c) => c + random.choice("aeiou"));
  const known = new Map<string, string>();
  const learn = (name: string, relation: string): string => {
    const key = `${name} ${relation}`;
    if (!known.has(key))
      known.set(
        key,
        until(
          () => random.choice(names),
          (other) => other !== name,
        ),
      );
    return known.get(key)!;
  };
  const asked = many(questions, (): [string, string] => {
    const first = random.choice(names);
    const chain = many(steps, () => random.choice(used));
    return [[first, ...chain].join(" "), chain.reduce(learn, first)];
  });
  for (let i = 0; i < 100 && known.size < count; i++) learn(random.choice(names), random.choice(used));
  return [[...known].map(([key, other]) => `${key} ${other}`), asked];
}
