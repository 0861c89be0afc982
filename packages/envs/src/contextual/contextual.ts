import { type Box, box, type EnvSpec, fail } from "@reins/core";
import { columns } from "@reins/core/spaces";
import type { Tensor } from "@reins/tensor";
import type { BatchedEnv, BatchedOptions } from "../batch-form.ts";
import { Wrapper } from "../wrappers/wrapper.ts";
import { type ContextOptions, type ContextRanges, type ContextSide, contextSide } from "./contexts.ts";

/** Options of a contextual environment. */
export interface ContextualOptions extends BatchedOptions, ContextOptions {
  /** Whether the sampled parameters are appended to the observation. */
  readonly visible?: boolean;
}

/** A visible parameter: -1 and 1 are the ends of its training range, 0 is its middle. */
interface Shown {
  readonly name: string;
  readonly middle: number;
  readonly half: number;
}

/**
 * An environment whose parameters are sampled anew for each episode (Hallak et al., "Contextual Markov Decision
 * Processes", 2015; with visible and hidden contexts as in Benjamins et al., "Contextualize Me", 2023). A context
 * passed to `reset` takes precedence, for all its parameters.
 */
export class Contextual extends Wrapper {
  private readonly problem: BatchedEnv;
  private readonly shown: readonly Shown[];

  constructor(id: string, problem: BatchedEnv, usual: ContextRanges, options: ContextualOptions = {}) {
    const side = contextSide(id, options, usual);
    const { columns: known } = problem.parameters;
    for (const ranges of [options.context ?? {}, options.testContext ?? {}])
      for (const name of Object.keys(ranges))
        if (!(name in known))
          fail(id, `unknown parameter ${name}. A context may have ${Object.keys(known).join(", ")}.`);
    const shown = options.visible === false ? [] : shownOf(side);
    const observation = widened(problem.spec.observation as Box, shown.length);
    super(problem, {
      spec: { id, observation, ...labelsWith(problem.spec, shown) },
      observation: columns(observation, problem.rows),
      final: columns(observation, problem.rows),
    });
    this.problem = problem;
    this.shown = shown;
    problem.contexts((_, random) => side.draw(random));
  }

  protected override parts() {
    const { observation, final } = this;
    return { observation, final };
  }

  protected override begun(): void {
    for (let row = 0; row < this.rows; row++) {
      this.see(row);
      this.place(row);
    }
  }

  protected override after(): void {
    const { terminated, truncated, rows } = this;
    for (let row = 0; row < rows; row++) {
      if (terminated.data[row] || truncated.data[row]) {
        this.finish(row);
        this.place(row);
      }
      this.see(row);
    }
  }

  /** Copies the inner observation. */
  private see(row: number): void {
    const from = this.problem.observation.data;
    const to = (this.observation as Tensor).data;
    const own = from.length / this.rows;
    const width = own + this.shown.length;
    for (let i = 0; i < own; i++) to[row * width + i] = from[row * own + i];
  }

  /** The final observation of an episode, whose context is still in the columns. */
  private finish(row: number): void {
    const from = this.problem.final.data;
    const seen = (this.observation as Tensor).data;
    const to = (this.final as Tensor).data;
    const own = from.length / this.rows;
    const width = own + this.shown.length;
    for (let i = 0; i < own; i++) to[row * width + i] = from[row * own + i];
    for (let i = own; i < width; i++) to[row * width + i] = seen[row * width + i];
  }

  /** Writes the context of the new episode. */
  private place(row: number): void {
    const { columns: values } = this.problem.parameters;
    const to = (this.observation as Tensor).data;
    const width = to.length / this.rows;
    const at = (row + 1) * width - this.shown.length;
    for (let i = 0; i < this.shown.length; i++) {
      const { name, middle, half } = this.shown[i];
      to[at + i] = (values[name][row] - middle) / half;
    }
  }
}

function shownOf({ ranges }: ContextSide): Shown[] {
  return Object.entries(ranges).flatMap(([name, range]) => {
    if (typeof range === "number" || range[0] === range[1]) return [];
    return [{ name, middle: (range[0] + range[1]) / 2, half: (range[1] - range[0]) / 2 }];
  });
}

/** Labels of the environment, followed by those of the visible parameters. */
function labelsWith({ labels }: EnvSpec, shown: readonly Shown[]): Pick<EnvSpec, "labels"> {
  const { observation } = labels ?? {};
  if (!Array.isArray(observation)) return {};
  return { labels: { ...labels, observation: [...observation, ...shown.map(({ name }) => name)] } };
}

/** A test may lie outside the training ranges, so the added numbers are unbounded. */
function widened({ shape: [own], low, high }: Box, more: number): Box {
  const all = (bound: number | readonly number[], added: number) => [
    ...(typeof bound === "number" ? Array<number>(own).fill(bound) : bound),
    ...Array<number>(more).fill(added),
  ];
  return box([own + more], all(low, Number.NEGATIVE_INFINITY), all(high, Number.POSITIVE_INFINITY));
}
