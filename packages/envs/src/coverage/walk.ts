import { defaultRng, type Generator } from "@reins/core/random";
import { type CoverageField, look, marginalGain, walked } from "./field.ts";

/** Options of a coverage walk. */
export interface CoverageWalkOptions {
  readonly field: CoverageField;
  /** Steps per episode. */
  readonly horizon: number;
  /**
   * Reward: the newly covered value of each step (`gains`, a submodular return), the value visible from the cell,
   * however often it was seen (`each`, an additive return), or the total at the last step (`end`).
   */
  readonly pays: "gains" | "each" | "end";
  /** Whether an action selects any cell, as in a bandit, instead of one of four moves. */
  readonly jumps?: boolean;
  /** Probability that a move goes in a random direction. */
  readonly slip?: number;
  readonly seed: number;
}

/** Walks through a field from its centre. A state is a position and a time, without the visited cells. */
export class CoverageWalk {
  readonly states: number;
  readonly actions: number;
  /** Coverage of the current walk, or of the last one. */
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

  /** The initial state of a walk. */
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
