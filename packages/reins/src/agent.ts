import {
  type Breath,
  columns,
  type EnvSpec,
  type Evaluated,
  type EvaluateOptions,
  evaluate,
  evaluateWith,
  fail,
  maskSize,
  type Place,
  Player,
  type PlayOptions,
  type Run,
  readValue,
  type Value,
  type VectorEnv,
  writeValue,
} from "@reins/core";
import { type Tree, zeros } from "@reins/tensor";
import { type EnvLike, type EnvSource, sourceOf } from "./places/source.ts";

/** A trained agent: ask it for actions, or measure it. */
export interface Agent {
  readonly run: Run;
  readonly spec: EnvSpec;
  /** The action for an observation, both as plain values. `mask` has an entry (0 or 1) for each choice, where some are forbidden. */
  act(observation: Value, mask?: ArrayLike<number>): Value;
  /** Begins a new episode: an agent with memory forgets. */
  forget(): void;
  /**
   * Its return over fresh episodes, 100 by default, in the environment of its training or in another. `breath` is called between steps
   * and may let other things happen.
   */
  evaluate(
    episodes?: number,
    options?: Omit<EvaluateOptions, "episodes"> & { env?: EnvLike; breath?: Breath },
  ): Promise<Evaluated>;
  /** Writes the language model of a run in words as a Hugging Face folder, adapters folded in, with its tokenizer. */
  saveModel(folder: string): Promise<void>;
}

/** The agent of a run, as it is now: when the run goes on, the agent learns with it. */
export function agentOf(run: Run, options: PlayOptions = {}): Agent {
  const source: Place & Partial<Pick<EnvSource, "inside" | "saveModel">> = run.options.env;
  const { spec, wrap } = source.inside ?? { spec: source.spec, wrap: (env: VectorEnv) => env };
  const { stage } = source;
  let pilot: Pilot | undefined;
  return {
    run,
    spec,
    act(observation, mask) {
      if (stage) return stage.answer(actingOf(run).weights, observation);
      const masked = mask !== undefined;
      if (pilot?.masked !== masked) pilot = new Pilot(run, spec, wrap, masked, options);
      return pilot.act(observation, mask);
    },
    forget: () => pilot?.forget(),
    evaluate: async (episodes = 100, { env, breath, ...rest } = {}) => {
      const how = { ...options, episodes, ...rest };
      if (stage && env === undefined) return stage.evaluate(actingOf(run).weights, { ...how, breath });
      const place = env === undefined ? undefined : sourceOf(env);
      return breath ? evaluateWith(breath, run, place, how) : evaluate(run, place, how);
    },
    async saveModel(folder) {
      if (!source.saveModel)
        fail("saveModel", `${spec.id} is no task in words by its name: there is no language model to write.`);
      await source.saveModel(actingOf(run).weights, folder);
    },
  };
}

const actingOf = (run: Run) =>
  run.process.acting ?? fail("agent", `${run.options.algorithm.name} has no policy that acts.`);

/** Lets a policy play in an environment that is nothing but the last observation. */
class Pilot {
  readonly masked: boolean;
  private readonly spec: EnvSpec;
  private readonly env: VectorEnv;
  /** The same with what was around it in training: it sees normalised observations, and takes scaled actions. */
  private readonly wrapped: VectorEnv;
  private readonly player: Player;
  private chosen: Tree = {};

  constructor(
    run: Run,
    spec: EnvSpec,
    wrap: (env: VectorEnv) => VectorEnv,
    masked: boolean,
    options: PlayOptions,
  ) {
    const acting = actingOf(run);
    this.masked = masked;
    this.spec = spec;
    const none = zeros([1], "bool");
    this.env = {
      spec,
      rows: 1,
      observation: columns(spec.observation, 1),
      final: columns(spec.observation, 1),
      reward: zeros([1]),
      terminated: none,
      truncated: none,
      ended: { return: new Float64Array(1), length: new Int32Array(1) },
      ...(masked ? { mask: zeros([1, maskSize(spec.action)], "bool") } : {}),
      reset() {},
      step: (action: Tree) => {
        this.chosen = action;
      },
      // It has no state of its own: nobody keeps it.
      save: () => ({}),
      restore() {},
    };
    this.player = new Player(acting, (this.wrapped = wrap(this.env)), options);
  }

  act(observation: Value, mask?: ArrayLike<number>): Value {
    writeValue(this.spec.observation, this.env.observation, 0, observation);
    if (mask) {
      const { data } = this.env.mask as ReturnType<typeof zeros>;
      if (mask.length !== data.length)
        fail("act", `the mask has ${mask.length} entries; it must have ${data.length}.`);
      for (let i = 0; i < data.length; i++) data[i] = mask[i] ? 1 : 0;
    }
    // Only wrappers listen: they look at the new observation. The policy's memory is not touched.
    this.wrapped.reset();
    this.player.step();
    return readValue(this.spec.action, this.chosen, 0);
  }

  forget(): void {
    this.player.reset();
  }
}
