import { didYouMean, fail, said, type VectorEnv } from "@reins/core";
import {
  clipAction,
  clipReward,
  flattenObservation,
  normaliseObservation,
  normaliseReward,
  RunningStatistics,
  rescaleAction,
  rescaleObservation,
} from "@reins/envs";

/** A wrapper by its name, with its running statistics where it has some. */
export interface KeptWrapper {
  readonly name: string;
  readonly statistics?: {
    readonly mean: ArrayLike<number>;
    readonly variance: ArrayLike<number>;
    readonly count: number;
  };
}

/** What is around an environment, by name, the innermost first. All training environments of a run share running statistics. */
export class Wrapping {
  readonly names: readonly string[];
  private readonly shared = new Map<string, RunningStatistics>();

  /** With `kept`, statistics begin as they were then. */
  constructor(names: readonly string[], kept: readonly KeptWrapper[] = []) {
    if (!Array.isArray(names))
      fail("wrappers", `this is ${said(names)}; it must be a list of names: ["normaliseObservation"].`);
    this.names = names;
    for (const name of names)
      if (!Object.hasOwn(kinds, name))
        fail(
          "wrappers",
          `there is no ${name}.${didYouMean(name, Object.keys(kinds))} There are ${Object.keys(kinds).join(", ")}.`,
        );
    for (const { name, statistics } of kept)
      if (statistics) this.shared.set(name, RunningStatistics.from(statistics));
  }

  /** The wrappers with their statistics of now. */
  get kept(): KeptWrapper[] {
    return this.names.map((name) => {
      const found = this.shared.get(name);
      if (!found) return { name };
      const { mean, variance, count } = found;
      return { name, statistics: { mean, variance, count } };
    });
  }

  /** An environment to train in. */
  train(env: VectorEnv): VectorEnv {
    return this.names.reduce((inner, name) => kinds[name].wrap(inner, this.statistics(name, true)), env);
  }

  /** An environment to be measured in: statistics stand still, and rewards are as they are. */
  evaluate(env: VectorEnv): VectorEnv {
    const names = this.names.filter((name) => !kinds[name].reward);
    return names.reduce((inner, name) => kinds[name].wrap(inner, this.statistics(name, false)), env);
  }

  private statistics(name: string, training: boolean): Running {
    return {
      training,
      statistics: this.shared.get(name),
      made: (statistics) => this.shared.has(name) || this.shared.set(name, statistics),
    };
  }
}

/** Running statistics as a wrapper gets them: those that there are, or a place for those that it makes. */
interface Running {
  readonly training: boolean;
  readonly statistics: RunningStatistics | undefined;
  made(statistics: RunningStatistics): void;
}

interface Kind {
  wrap(env: VectorEnv, running: Running): VectorEnv;
  /** It changes rewards only, which matter in training. */
  readonly reward?: boolean;
}

const kinds: { readonly [name: string]: Kind } = {
  clipAction: { wrap: (env) => clipAction(env) },
  clipReward: { wrap: (env) => clipReward(env), reward: true },
  flattenObservation: { wrap: (env) => flattenObservation(env) },
  normaliseObservation: {
    wrap: (env, { made, ...options }) => noted(normaliseObservation(env, options), made),
  },
  normaliseReward: {
    wrap: (env, { made, ...options }) => noted(normaliseReward(env, options), made),
    reward: true,
  },
  rescaleAction: { wrap: (env) => rescaleAction(env) },
  rescaleObservation: { wrap: (env) => rescaleObservation(env) },
};

function noted<E extends VectorEnv & { readonly statistics: RunningStatistics }>(
  env: E,
  made: Running["made"],
): E {
  made(env.statistics);
  return env;
}
