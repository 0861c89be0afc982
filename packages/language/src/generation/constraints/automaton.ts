import { fail } from "@reins/core";
import { type Graph, graphOf } from "./graph.ts";
import { dead, productOf, type Reader } from "./product.ts";
import type { Ranges } from "./ranges.ts";
import type { Tree } from "./tree.ts";
import { Work } from "./work.ts";

/** Settings of {@link Automaton}. */
export interface AutomatonOptions {
  /** Maximum nesting of rules of level 1 (default: unlimited). */
  readonly depth?: number;
  /** Allowed characters (default: all). */
  readonly alphabet?: Ranges;
  /** Budget of compilation. */
  readonly work?: Work;
}

const unknown = -2;
/** Maximum places of one state. */
const mostPlaces = 50_000;
const encoder = new TextEncoder();
const noCall = { under: -1, back: 0, depth: 0 };

/**
 * Reads texts byte by byte and tracks whether they can still become one of the tree's texts. It runs on UTF-8 bytes
 * rather than characters, as tokens may end inside a character. States are created on demand and cached. A state is a
 * set of places, and a place is a node with its call stack, so rules may be recursive without limit. Places that
 * cannot reach an end are never entered: every state but {@link dead} can be completed.
 */
export class Automaton implements Reader {
  readonly start: number;
  private readonly graph: Graph;
  private readonly depth: number;
  /** Equivalence class of each byte; a state has a transition for each class. */
  private readonly kindOf: Uint8Array;
  readonly examples: readonly number[];
  /** Counts the steps of compilation; later steps are counted by the caller, see {@link placesOf}. */
  private work: Work | undefined;
  private states: { places: readonly number[]; accepts: boolean; ways: Int32Array }[] = [];
  private known = new Map<string, number>();
  /** Call stack entries, each linked to the one below; the first stands for none. */
  private calls: { under: number; back: number; depth: number }[] = [noCall];
  private knownCalls = new Map<number, number>();
  private held = 0;

  constructor(tree: Tree, options: AutomatonOptions = {}) {
    // Finite, so that places that need infinitely many levels are never entered.
    this.depth = Math.min(options.depth ?? Number.MAX_VALUE, Number.MAX_VALUE);
    const { work = new Work() } = options;
    const own = { ...options, work };
    this.graph = graphOf(
      tree,
      options.alphabet,
      ({ left, right, keep }) => productOf(new Automaton(left, own), new Automaton(right, own), keep, work),
      work,
    );
    this.work = work;
    const starts = new Set([0]);
    for (const { bytes } of this.graph.nodes)
      for (const { range } of bytes) starts.add(range[0]).add(range[1] + 1);
    this.examples = [...starts].filter((b) => b < 256).sort((a, b) => a - b);
    this.kindOf = new Uint8Array(256);
    for (let byte = 0, kind = 0; byte < 256; byte++) {
      if (this.examples[kind + 1] === byte) kind++;
      this.kindOf[byte] = kind;
    }
    this.start = this.begin();
    // Automata that become part of a product keep counting.
    if (!options.work) this.work = undefined;
  }

  private begin(): number {
    const { start, level } = this.graph.rules[0];
    const first = level ? this.push(0, 0, 1) : 0;
    return this.stateOf(this.alive(start, first) ? [this.place(start, first)] : []);
  }

  /** Number of nodes of its graph, which are permanent. */
  get nodes(): number {
    return this.graph.nodes.length;
  }

  /** Total places of all states created so far. */
  get places(): number {
    return this.held;
  }

  /** Places of one state. */
  placesOf(state: number): number {
    return state === dead ? 0 : this.states[state].places.length;
  }

  /** Drops all states but the start. Other state numbers become invalid; the start stays the same. */
  forget(): void {
    if (this.start === dead) return;
    this.states = [];
    this.known = new Map();
    this.calls = [noCall];
    this.knownCalls = new Map();
    this.held = 0;
    this.begin();
  }

  /** Whether the text may end in this state. */
  accepts(state: number): boolean {
    return state !== dead && this.states[state].accepts;
  }

  /** The state after a byte. */
  next(state: number, byte: number): number {
    if (state === dead) return dead;
    const { ways } = this.states[state];
    const kind = this.kindOf[byte];
    if (ways[kind] === unknown) ways[kind] = this.step(state, this.examples[kind]);
    return ways[kind];
  }

  /** The state after a text or its bytes. */
  read(text: string | Iterable<number>, from: number = this.start): number {
    let state = from;
    for (const byte of typeof text === "string" ? encoder.encode(text) : text) {
      state = this.next(state, byte);
      if (state === dead) return dead;
    }
    return state;
  }

  /** Whether the whole text is one of the tree's. */
  matches(text: string): boolean {
    return this.accepts(this.read(text));
  }

  private place(node: number, call: number): number {
    return call * this.graph.nodes.length + node;
  }

  private alive(node: number, call: number): boolean {
    return this.graph.needs[node] + this.calls[call].depth <= this.depth;
  }

  private push(under: number, back: number, level: 0 | 1): number {
    const key = (under * this.graph.nodes.length + back) * 2 + level;
    const found =
      this.knownCalls.get(key) ??
      this.calls.push({ under, back, depth: this.calls[under].depth + level }) - 1;
    this.knownCalls.set(key, found);
    return found;
  }

  private step(state: number, byte: number): number {
    const size = this.graph.nodes.length;
    const reached: number[] = [];
    for (const place of this.states[state].places) {
      const call = Math.floor(place / size);
      for (const { range, to } of this.graph.nodes[place % size].bytes)
        if (range[0] <= byte && byte <= range[1] && this.alive(to, call)) reached.push(this.place(to, call));
    }
    return this.stateOf(reached);
  }

  /** The state of these places and everything reachable from them without a byte. */
  private stateOf(reached: number[]): number {
    const { nodes, rules } = this.graph;
    const seen = new Set(reached);
    const places: number[] = [];
    let accepts = false;
    const visit = (node: number, call: number) => {
      const place = this.place(node, call);
      if (!this.alive(node, call) || seen.has(place)) return;
      if (seen.size >= mostPlaces)
        fail(
          "constraint",
          `a rule is left-recursive, or a text has more than ${mostPlaces} parses in progress.`,
        );
      seen.add(place);
      reached.push(place);
    };
    for (let place = reached.pop(); place !== undefined; place = reached.pop()) {
      const node = place % nodes.length;
      const waiting = Math.floor(place / nodes.length);
      const { bytes, jumps, call } = nodes[node];
      if (bytes.length) places.push(place);
      for (const to of jumps) visit(to, waiting);
      if (call && this.alive(call.back, waiting)) {
        const { start, level } = rules[call.rule];
        visit(start, this.push(waiting, call.back, level));
      }
      if (node === 0 && this.calls[waiting].under < 0) accepts = true;
      else if (node === 0) visit(this.calls[waiting].back, this.calls[waiting].under);
    }
    this.work?.spend(seen.size);
    if (!places.length && !accepts) return dead;
    const key = places.sort((a, b) => a - b).join() + accepts;
    const found = this.known.get(key);
    if (found !== undefined) return found;
    const ways = new Int32Array(this.examples.length).fill(unknown);
    this.known.set(key, this.states.length);
    this.held += places.length + 1;
    return this.states.push({ places, accepts, ways }) - 1;
  }
}
