/** A text of a group, which may have begun as a branch of another one. */
export interface Branch {
  readonly tokens: number[];
  readonly parent?: Branch;
  /** The step at which it left its parent. */
  readonly born: number;
  done: boolean;
}

/** Settings of {@link grow}. */
export interface Growth {
  /** Maximum number of tokens. */
  readonly limit: number;
  /** The end token. */
  readonly end: number;
  /** Minimum probability of a second candidate, and the most by which the first may exceed it. */
  readonly least: number;
  readonly within: number;
  /** Tokens after which a branch is compared with its parent, and the share of them that must differ. */
  readonly lookahead: number;
  readonly differing: number;
  /** A uniform random number. */
  readonly random: () => number;
}

/** A group of texts with one prompt; `sampled` ones do not branch. */
export interface Group {
  readonly prompt: readonly number[];
  readonly size: number;
  readonly sampled: boolean;
  branches: Branch[];
}

/** A group before its first token: one root that branches, or independent samples. */
export const groupOf = (prompt: readonly number[], size: number, sampled = false): Group => ({
  prompt,
  size,
  sampled,
  branches: Array.from({ length: sampled ? size : Math.min(1, size) }, () => ({
    tokens: [],
    born: 0,
    done: false,
  })),
});

/** Insertions, deletions and substitutions that turn one text into the other. */
export function editDistance(a: readonly number[], b: readonly number[]): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  a.forEach((x, i) => {
    const next = [i + 1];
    b.forEach((y, j) => next.push(Math.min(row[j + 1] + 1, next[j] + 1, row[j] + Number(x !== y))));
    row = next;
  });
  return row[b.length];
}

/** Positions of the two largest probabilities. */
function bestTwo(p: ArrayLike<number>): [number, number] {
  let [first, second] = p[0] >= p[1] ? [0, 1] : [1, 0];
  for (let i = 2; i < p.length; i++)
    if (p[i] > p[first]) [first, second] = [i, first];
    else if (p[i] > p[second]) second = i;
  return [first, second];
}

function sample(p: ArrayLike<number>, uniform: number): number {
  let [sum, i] = [p[0], 0];
  while (i < p.length - 1 && sum <= uniform) sum += p[++i];
  return i;
}

/** Whether the group is full, and its youngest branch has been compared with its parent. */
const isSettled = ({ branches, size, sampled }: Group, step: number, lookahead: number) =>
  sampled || (branches.length >= size && branches.every((b) => !b.parent || step - b.born >= lookahead));

/** Adds one token to each text of a group. Until the group is settled, texts continue with their most likely token and branch at a close second. */
function advance(group: Group, step: number, of: Map<Branch, ArrayLike<number>>, how: Growth): number {
  const active = group.branches.filter((b) => !b.done);
  const settled = isSettled(group, step, how.lookahead);
  const made: Branch[] = [];
  for (const branch of active) {
    const p = of.get(branch)!;
    const [first, second] = bestTwo(p);
    const isClose = p[second] > how.least && p[first] - p[second] < how.within;
    if (!settled && isClose && group.branches.length + made.length < group.size)
      made.push({ tokens: [...branch.tokens, second], parent: branch, born: step, done: false });
    branch.tokens.push(settled ? sample(p, how.random()) : first);
  }
  group.branches.push(...made);
  for (const b of [...active, ...made]) b.done = b.tokens.at(-1) === how.end || b.tokens.length >= how.limit;
  return active.length + made.length;
}

/** Removes branches that are still similar to their parents after `lookahead` tokens, with the branches that left them. */
export function prune(group: Group, step: number, { lookahead, differing, end }: Growth): void {
  const removed = new Set<Branch>();
  for (const branch of group.branches) {
    const { parent } = branch;
    if (parent && removed.has(parent)) removed.add(branch);
    if (!parent || branch.born !== step - lookahead + 1) continue;
    const [a, b] = [branch.tokens.slice(-lookahead), parent.tokens.slice(branch.born)];
    if (b.length !== lookahead || a.includes(end) || b.includes(end)) continue;
    if (editDistance(a, b) / lookahead < differing) removed.add(branch);
  }
  group.branches = group.branches.filter((b) => !removed.has(b));
}

/**
 * Grows all groups to their sizes and all texts to their ends. A group without enough branches is filled with its root. Returns the
 * number of generated tokens.
 */
export function grow(
  groups: readonly Group[],
  next: (texts: readonly (readonly number[])[]) => readonly ArrayLike<number>[],
  how: Growth,
): number {
  let count = 0;
  for (let step = 0; step < how.limit; step++) {
    const open = groups.flatMap((g) => g.branches.filter((b) => !b.done).map((branch) => ({ g, branch })));
    if (open.length === 0) break;
    const found = next(open.map(({ g, branch }) => [...g.prompt, ...branch.tokens]));
    const of = new Map(open.map(({ branch }, i) => [branch, found[i]]));
    for (const group of groups) {
      count += advance(group, step, of, how);
      prune(group, step, how);
    }
  }
  for (const group of groups)
    while (group.branches.length < group.size) group.branches.push({ ...group.branches[0] });
  return count;
}
