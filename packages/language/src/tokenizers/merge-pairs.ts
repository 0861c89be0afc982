/** Text positions and ranks are below this, so that both fit into one exact number. */
const span = 2 ** 26;

/**
 * Merges pairs of tokens in the order of their ranks, and from left to right, until none is left. `rankOf` gives the
 * rank of a pair, `joined` the token of a rank. Takes O(n log n) for any text.
 */
export function mergePairs(
  tokens: number[],
  rankOf: (left: number, right: number) => number | undefined,
  joined: (rank: number) => number,
): number[] {
  const { length } = tokens;
  const own = [...tokens];
  const next = Int32Array.from(own, (_, i) => i + 1);
  const before = Int32Array.from(own, (_, i) => i - 1);
  const heap: number[] = [];
  const offer = (at: number) => {
    const right = next[at];
    const rank = at < 0 || right >= length ? undefined : rankOf(own[at], own[right]);
    if (rank !== undefined) push(heap, rank * span + at);
  };
  for (let i = 0; i < length - 1; i++) offer(i);
  while (heap.length) {
    const key = pop(heap);
    const [rank, at] = [Math.floor(key / span), key % span];
    const right = next[at];
    // A stale pair: one of its tokens has been merged since.
    if (own[at] < 0 || right >= length || rankOf(own[at], own[right]) !== rank) continue;
    own[at] = joined(rank);
    own[right] = -1;
    next[at] = next[right];
    if (next[right] < length) before[next[right]] = at;
    if (before[at] >= 0) offer(before[at]);
    offer(at);
  }
  return own.filter((token) => token >= 0);
}

function push(heap: number[], key: number): void {
  let at = heap.push(key) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (heap[parent] <= key) break;
    heap[at] = heap[parent];
    at = parent;
  }
  heap[at] = key;
}

function pop(heap: number[]): number {
  const least = heap[0];
  const key = heap.pop()!;
  if (heap.length === 0) return least;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && heap[child + 1] < heap[child]) child++;
    if (heap[child] >= key) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = key;
  return least;
}
