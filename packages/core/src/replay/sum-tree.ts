/**
 * Non-negative numbers with prefix sums: `set` and `find` take O(log n). A complete binary tree in one array: node i has
 * the children 2i and 2i + 1, the leaves are its second half. Every inner node is the sum of its children, recomputed on the way up, so
 * rounding errors do not accumulate.
 */
export class SumTree {
  readonly capacity: number;
  /** Node 1 is the root. */
  readonly nodes: Float64Array;
  private readonly leafStart: number;

  constructor(capacity: number) {
    this.capacity = capacity;
    let leaves = 1;
    while (leaves < capacity) leaves *= 2;
    this.leafStart = leaves;
    this.nodes = new Float64Array(2 * leaves);
  }

  get total(): number {
    return this.nodes[1];
  }

  get(index: number): number {
    return this.nodes[this.leafStart + index];
  }

  set(index: number, value: number): void {
    const { nodes } = this;
    let node = this.leafStart + index;
    nodes[node] = value;
    for (node >>= 1; node >= 1; node >>= 1) nodes[node] = nodes[2 * node] + nodes[2 * node + 1];
  }

  /** The index whose range of [0, total) contains `mass`; an index with value 0 is never returned unless all are 0. */
  find(mass: number): number {
    const { nodes, leafStart } = this;
    let node = 1;
    while (node < leafStart) {
      node *= 2;
      // Rounding may leave mass beyond the left sum while the right one is 0.
      if (mass >= nodes[node] && nodes[node + 1] > 0) mass -= nodes[node++];
    }
    return node - leafStart;
  }

  /** Recomputes all sums from the leaves after they were written directly. */
  rebuild(): void {
    const { nodes } = this;
    for (let i = this.leafStart - 1; i >= 1; i--) nodes[i] = nodes[2 * i] + nodes[2 * i + 1];
  }

  /** The values of the first `count` leaves, as a view. */
  values(count: number): Float64Array {
    return this.nodes.subarray(this.leafStart, this.leafStart + count);
  }
}
