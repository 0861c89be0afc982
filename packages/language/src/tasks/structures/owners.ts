import type { Generator } from "@reins/core/random";
import { many, some, until } from "../random.ts";
import { worded } from "../single.ts";

/** Number of people, number of kinds of things, and the rate of positive clues. */
const sizes = [
  [2, 1, 0.5],
  [3, 1, 0.7],
  [3, 1, 0.1],
  [4, 1, 0.1],
  [3, 2, 0.3],
  [4, 2, 0.3],
  [5, 1, 0],
  [5, 2, 0.2],
] as const;

/** Permutations of 0 to n - 1. */
const orders = (n: number): number[][] =>
  n === 0
    ? [[]]
    : orders(n - 1).flatMap((rest) => many(n, (i) => [...rest.slice(0, i), n - 1, ...rest.slice(i)]));
const all = many(6, orders);

/** All assignments of things of one or two kinds, computed once: there are 14400 for five people. */
const made = new Map<string, number[][][]>();
function worlds(people: number, kinds: number): number[][][] {
  const key = `${people} ${kinds}`;
  if (!made.has(key))
    made.set(
      key,
      all[people].flatMap((first) =>
        kinds === 1 ? [[first]] : all[people].map((second) => [first, second]),
      ),
    );
  return made.get(key)!;
}

/** A clue: the i-th of one kind (0 for people) goes with the j-th of another, or does not. */
interface Clue {
  readonly kinds: readonly [number, number];
  readonly items: readonly [number, number];
  readonly same: boolean;
}

/**
 * A logic grid puzzle: each person has one thing of each kind, all distinct. K=t means that K, or the owner of K, has
 * t; K!t means the opposite. The answer lists the things in the order of the people, kind after kind. The clues leave
 * one solution.
 */
export const owners = worded({
  id: "owners",
  about: "Find out from clues who owns what.",
  levels: sizes.length,
  alphabet: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789=!,:?",
  longest: { prompt: 120, answer: 11 },
  form: /^[a-z]+(?:,[0-9]+)?$/,
  make(random, level) {
    const [people, kinds, together] = sizes[level - 1];
    const names = [
      some(random, people, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
      some(random, people, "abcdefghijklmnopqrstuvwxyz"),
    ];
    if (kinds === 2) names.push(some(random, people, "123456789"));
    for (const list of names) list.sort();
    const head = names.map((list) => list.join("")).join(":");
    const [owned, clues] = until(
      () => puzzle(random, people, kinds, together),
      ([, drawn]) => head.length + 4 * drawn.length + 2 <= 120,
    );
    const listed = clues.map(
      ({ kinds: [a, b], items: [i, j], same }) => `${names[a][i]}${same ? "=" : "!"}${names[b][j]}`,
    );
    const answer = owned
      .map((order, kind) => order.map((thing) => names[kind + 1][thing]).join(""))
      .join(",");
    return [`${head}:${listed.join(",")}?`, answer];
  },
});

/** A solution, and clues that each exclude something until it alone is left. */
function puzzle(random: Generator, people: number, kinds: number, together: number): [number[][], Clue[]] {
  const owned = many(kinds, () => random.choice(all[people]));
  let left = worlds(people, kinds);
  const clues: Clue[] = [];
  while (left.length > 1) {
    const [a, b] = some(
      random,
      2,
      many(kinds + 1, (i) => i),
    ).sort();
    // With two kinds, begin with a positive clue: it excludes most at once.
    const same = random.random() < together || left.length > 5000;
    const person = random.integers(people);
    const other = same ? person : (person + random.integers(1, people)) % people;
    const item = (kind: number, owner: number) => (kind === 0 ? owner : owned[kind - 1][owner]);
    const clue: Clue = { kinds: [a, b], items: [item(a, person), item(b, other)], same };
    const kept = left.filter((solution) => holds(clue, solution));
    if (kept.length < left.length) clues.push(clue);
    left = kept;
  }
  return [owned, random.permutation(clues)];
}

function holds({ kinds: [a, b], items: [i, j], same }: Clue, owned: readonly number[][]): boolean {
  const owner = a === 0 ? i : owned[a - 1].indexOf(i);
  return (owned[b - 1][owner] === j) === same;
}
