import { defaultRng, type Generator } from "@reins/core";
import { type CoverageField, look, marginalGain, walked } from "./field.ts";

/** How a field is covered. */
export interface CoverageWalkOptions {
  readonly field: CoverageField;
  /** Steps in an episode. */
  readonly horizon: number;
  /**
   * What a step pays: what it adds to what was seen before (`gains`, a submodular return), all that is seen from the cell, however often
   * it was seen before (`each`, an additive one), or nothing, and the last step what was seen in all (`end`).
   */
  readonly pays: "gains" | "each" | "end";
  /** Whether an action names any cell, as in a bandit, instead of one of four ways to go. */
  readonly jumps?: boolean;
  /** How often a way leads anywhere else. */
  readonly slip?: number;
  readonly seed: number;
}

/** Walks through a field, each begun in its middle. A state is a place and a time: where one has been is not in it. */
export class CoverageWalk {
  readonly states: number;
  readonly actions: number;
  /** What the present walk, or the last one, has covered. */
  covered = 0;
  private readonly options: CoverageWalkOptions;
  private readonly random: Generator;
  private readonly nothing: Uint8Array;
  private readonly marked: Uint8Array;
  private at = 0;
  private time = 0;

  constructor(options: CoverageWalkOptions) {
    const { field, horizon, jumps, seed } = options;
    const cells = field.worth.length;
    this.options = options;
    this.states = jumps ? horizon : horizon * cells;
    this.actions = jumps ? cells : 4;
    this.random = defaultRng(seed);
    this.nothing = new Uint8Array(cells);
    this.marked = new Uint8Array(cells);
  }

  /** The first state of a walk. */
  begin(): number {
    this.at = (this.options.field.size >> 1) * (this.options.field.size + 1);
    this.time = this.covered = 0;
    this.marked.fill(0);
    return this.state;
  }

  step(action: number): { readonly state: number; readonly reward: number; readonly over: boolean } {
    const { field, pays, jumps, slip = 0, horizon } = this.options;
    const slips = slip > 0 && this.random.random() < slip;
    this.at = jumps ? action : walked(field.size, this.at, slips ? this.random.integers(4) : action);
    const gain = look(field, this.at, this.marked);
    this.covered += gain;
    const over = ++this.time === horizon;
    const atEnd = over ? this.covered : 0;
    const all = pays === "each" ? marginalGain(field, this.at, this.nothing) : 0;
    return {
      state: over ? 0 : this.state,
      reward: pays === "gains" ? gain : pays === "each" ? all : atEnd,
      over,
    };
  }

  private get state(): number {
    return this.options.jumps ? this.time : this.time * this.nothing.length + this.at;
  }
}
