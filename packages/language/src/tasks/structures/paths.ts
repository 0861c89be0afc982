import type { Generator } from "@reins/core/random";
import { stripped, verdict } from "../answers.ts";
import { between, some, until } from "../random.ts";
import { textTask } from "../text-task.ts";

/**
 * Number of places, number of roads, the longest road, the minimum places on the path, and the maximum distance, in
 * drawing order, between connected places: a small one makes paths long. Road lengths are omitted where all are 1.
 */
const sizes = [
  [3, 2, 1, 3, 3],
  [4, 4, 1, 3, 4],
  [6, 7, 1, 3, 6],
  [5, 7, 9, 3, 5],
  [6, 9, 9, 3, 6],
  [8, 13, 9, 4, 8],
  [10, 18, 9, 4, 10],
  [12, 26, 9, 5, 12],
  [26, 36, 99, 12, 4],
] as const;

type Road = readonly [from: string, to: string, length: number];

/** Shortest paths along undirected roads: ab3,bc2:a>c asks for abc. Any shortest path is right. */
export const paths = textTask<{ roads: Road[]; from: string; to: string; shortest: number }>({
  id: "paths",
  about: "Find a shortest path.",
  levels: sizes.length,
  alphabet: "abcdefghijklmnopqrstuvwxyz0123456789,:>=",
  longest: { prompt: 184, answer: 26 },
  make(random, level) {
    const [places, count, most, least, near] = sizes[level - 1];
    const [roads, from, to, way] = until(
      () => {
        const [roads, names] = map(random, places, count, most, near);
        const from = random.choice(names);
        const far = [...shortest(roads, from)].filter(([, { way }]) => way.length >= least);
        const [to, { way }] = far.length > 0 ? random.choice(far) : ["", { way: "" }];
        return [roads, from, to, way] as const;
      },
      ([, , to]) => to !== "",
    );
    const listed = roads.map(([a, b, length]) => `${a}${b}${most === 1 ? "" : length}`);
    return {
      prompt: `${listed.join(",")}:${from}>${to}=`,
      answer: way,
      data: { roads, from, to, shortest: length(roads, way)! },
    };
  },
  verify({ data: { roads, from, to, shortest } }, answer) {
    const way = stripped(answer);
    // No shortest path has more steps than there are roads.
    if (!/^[a-z]+$/.test(way) || way.length > roads.length + 1)
      return verdict(false, false, "It is not a path.");
    const total = length(roads, way);
    if (total === undefined || way[0] !== from || way[way.length - 1] !== to)
      return verdict(false, true, `It does not lead from ${from} to ${to}.`);
    return verdict(total === shortest, true, `It is ${total} long; ${shortest} is enough.`);
  },
  nearMisses: ({ answer, data: { from, to } }) => [
    [...answer].reverse().join(""),
    `${answer}${answer[answer.length - 2]}${to}`,
    answer.slice(1),
    answer.slice(0, -1),
    `${from}>${to}`,
    [...answer].join(">"),
  ],
});

/** A spanning tree, so that every place is reachable, and then other roads. */
function map(
  random: Generator,
  places: number,
  count: number,
  most: number,
  near: number,
): [Road[], string[]] {
  const names = some(random, places, "abcdefghijklmnopqrstuvwxyz");
  const pairs = new Set<string>();
  for (let i = 1; i < places; i++)
    pairs.add([names[random.integers(Math.max(0, i - near), i)], names[i]].sort().join(""));
  while (pairs.size < count) {
    const [a, b] = some(random, 2, names);
    if (Math.abs(names.indexOf(a) - names.indexOf(b)) <= near) pairs.add([a, b].sort().join(""));
  }
  const roads = random.permutation([...pairs]).map((pair): Road => {
    const [a, b] = random.permutation([...pair]);
    return [a, b, between(random, 1, most)];
  });
  return [roads, names];
}

/** The length of a path, or undefined if a step has no road. */
function length(roads: readonly Road[], way: string): number | undefined {
  let total = 0;
  for (let i = 1; i < way.length; i++) {
    const [a, b] = [way[i - 1], way[i]];
    const road = roads.find(([x, y]) => (x === a && y === b) || (x === b && y === a));
    if (!road) return undefined;
    total += road[2];
  }
  return total;
}

/** Bellman-Ford: relax the roads until nothing changes. */
function shortest(roads: readonly Road[], from: string): Map<string, { total: number; way: string }> {
  const best = new Map([[from, { total: 0, way: from }]]);
  for (let changed = true; changed; ) {
    changed = false;
    for (const [x, y, step] of roads)
      for (const [a, b] of [
        [x, y],
        [y, x],
      ]) {
        const known = best.get(a);
        if (!known || known.total + step >= (best.get(b)?.total ?? Number.POSITIVE_INFINITY)) continue;
        best.set(b, { total: known.total + step, way: known.way + b });
        changed = true;
      }
  }
  return best;
}
