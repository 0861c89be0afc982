import { type AlgorithmContext, fail, type PlaceInfo, type VectorEnv } from "@reins/core";
import { countedStates } from "./state-index.ts";

/** A possible outcome of an action in a state. */
export interface ModelOutcome {
  readonly probability: number;
  readonly state: number;
  readonly reward: number;
  /** Whether the outcome is terminal: the future value is 0. */
  readonly terminated: boolean;
}

/**
 * A tabular model for planning: the possible outcomes of every action in every state. `tabularModel(id)` of
 * `@reins/envs` is one.
 */
export interface Model {
  readonly states: number;
  readonly actions: number;
  /** `transition[state][action]` lists the outcomes. */
  readonly transition: readonly (readonly (readonly ModelOutcome[])[])[];
}

/** Fails if the environment has no countable states, or no model to plan on (unless one is given as an option). */
export function requireModel(name: string, { spec, place, data, options }: PlaceInfo): void {
  countedStates(name, spec);
  if (!isModel(options.model) && !isModel(data) && !modelIn(place.make?.(1))) noModel(name, spec.id);
}

/** The model from the options, from the run's data, or from the environment, if its shape fits. */
export function modelFor(name: string, context: AlgorithmContext, given: Model | undefined): Model {
  const { spec, data } = context;
  const model = given ?? (isModel(data) ? data : modelIn(context.env(1)));
  if (!model) noModel(name, spec.id);
  const states = countedStates(name, spec);
  const actions = spec.action.kind === "discrete" ? spec.action.n : 0;
  if (model.states !== states || model.actions !== actions)
    fail(
      name,
      `the model has ${model.states} states and ${model.actions} actions, but ${spec.id} has ${states} and ${actions}.`,
    );
  return model;
}

function noModel(name: string, id: string): never {
  return fail(
    name,
    `it needs an exact model, and ${id} has none. Pass data: { states, actions, transition }; tabularModel(id) of @reins/envs returns one for some environments.`,
  );
}

/** The model that an environment exposes, if any. */
function modelIn(env: VectorEnv | undefined): Model | undefined {
  const { model } = (env ?? {}) as { model?: unknown };
  env?.close?.();
  return isModel(model) ? model : undefined;
}

function isModel(x: unknown): x is Model {
  return typeof x === "object" && x !== null && Array.isArray((x as Model).transition);
}

/** A model in flat arrays: outcomes of pair p are those from `first[p]` to `first[p + 1]`. */
export class ModelTable {
  readonly states: number;
  readonly actions: number;
  private readonly first: Int32Array;
  private readonly probability: Float64Array;
  /** The next state; -1 if terminal. */
  private readonly next: Int32Array;
  /** Expected reward of each pair. */
  private readonly reward: Float64Array;

  constructor({ states, actions, transition }: Model) {
    const pairs = transition.flat();
    const outcomes = pairs.flat();
    this.states = states;
    this.actions = actions;
    this.first = new Int32Array(pairs.length + 1);
    pairs.forEach((p, i) => (this.first[i + 1] = this.first[i] + p.length));
    this.probability = Float64Array.from(outcomes, (o) => o.probability);
    this.next = Int32Array.from(outcomes, (o) => (o.terminated ? -1 : o.state));
    this.reward = Float64Array.from(pairs, (p) => p.reduce((sum, o) => sum + o.probability * o.reward, 0));
  }

  /** Q-value of a pair, given state values. */
  pairValue(values: Float64Array, pair: number, gamma: number): number {
    let future = 0;
    for (let i = this.first[pair]; i < this.first[pair + 1]; i++)
      if (this.next[i] >= 0) future += this.probability[i] * values[this.next[i]];
    return this.reward[pair] + gamma * future;
  }
}
