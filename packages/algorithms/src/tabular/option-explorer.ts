import type { Generator } from "@reins/core/random";
import { real } from "@reins/tensor";
import type { TabularStep } from "./q-table.ts";
import type { ExplorationStrategy } from "./strategies.ts";

/** Settings of {@link OptionExplorer}. */
export interface OptionExplorerOptions {
  readonly states: number;
  readonly strategies: readonly ExplorationStrategy[];
  readonly random: Generator;
  /** Probability of choosing a random strategy instead of the best. */
  readonly epsilon: number;
  readonly learningRate: number;
  readonly gamma: number;
  /** Deliberation cost: how much better another strategy must be to switch (0 to 0.1; default 0.01). */
  readonly deliberation?: number;
  /** Initial termination probability of a strategy (default 0.1). */
  readonly ending?: number;
}

/**
 * Chooses among exploration strategies by their value (Kim, Kim and Sung, "LESSON", 2023): they are the options of
 * an option-critic (Bacon et al., 2017), whose values and terminations are learned, while the strategies
 * themselves are fixed.
 */
export class OptionExplorer implements ExplorationStrategy {
  /** The current strategy. */
  option = 0;
  readonly values: Float64Array;
  private readonly terminations: Float64Array;
  private readonly o: OptionExplorerOptions;
  private begun = false;

  constructor(o: OptionExplorerOptions) {
    this.o = o;
    this.values = new Float64Array(o.states * o.strategies.length);
    const { ending = 0.1 } = o;
    this.terminations = new Float64Array(o.states * o.strategies.length).fill(
      real.log(ending / (1 - ending)),
    );
  }

  /** Begins a new episode. */
  begin(): void {
    this.begun = false;
  }

  /** The current strategy's action; the strategy may terminate here and be replaced. */
  act(state: number): number {
    const { strategies, random } = this.o;
    if (!this.begun || random.random() < this.ends(state, this.option)) this.take(state);
    return strategies[this.option].act(state);
  }

  /** Learns from a step chosen by {@link OptionExplorer}. */
  told(step: TabularStep): void {
    const { strategies, learningRate, gamma, deliberation = 0.01 } = this.o;
    const { state, reward, next, terminated } = step;
    const { option, values, terminations } = this;
    const count = strategies.length;
    const most = this.most(next);
    const at = next * count + option;
    const end = this.ends(next, option);
    const follows = terminated ? 0 : gamma * ((1 - end) * values[at] + end * most);
    values[state * count + option] += learningRate * (reward + follows - values[state * count + option]);
    // The termination gradient (Bacon et al., Theorem 2): a strategy ends where another one is better.
    if (!terminated) terminations[at] -= end * (1 - end) * (values[at] - most + deliberation);
    for (const strategy of strategies) strategy.told?.(step);
  }

  private ends(state: number, option: number): number {
    return 1 / (1 + real.exp(-this.terminations[state * this.o.strategies.length + option]));
  }

  private most(state: number): number {
    const count = this.o.strategies.length;
    let most = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < count; i++) most = Math.max(most, this.values[state * count + i]);
    return most;
  }

  private take(state: number): void {
    const { strategies, random, epsilon } = this.o;
    const count = strategies.length;
    this.begun = true;
    if (random.random() < epsilon) this.option = random.integers(0, count);
    else {
      const most = this.most(state);
      let equals = 0;
      for (let i = 0; i < count; i++)
        if (this.values[state * count + i] === most && random.random() * ++equals < 1) this.option = i;
    }
    strategies[this.option].begin?.();
  }
}
