import { fail, type VectorEnv } from "@reins/core";
import { describeValue, didYouMean } from "@reins/core/errors";
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

/** A wrapper by name with its options, and its running statistics if it has any. */
export interface WrapperState {
  readonly name: string;
  readonly statistics?: {
    readonly mean: ArrayLike<number>;
    readonly variance: ArrayLike<number>;
    readonly count: number;
  };
}

/** Wrappers of an environment by name, innermost first. All training environments of a run share running statistics. */
export class Wrapping {
  readonly names: readonly string[];
  private readonly shared = new Map<string, RunningStatistics>();

  /** `kept` holds the initial statistics. */
  constructor(names: readonly string[], kept: readonly WrapperState[] = []) {
    if (!Array.isArray(names))
      fail(
        "wrappers",
        `wrappers is ${describeValue(names)}; it must be a list of names: ["normaliseObservation"].`,
      );
    this.names = names;
    for (const word of names) admit(word);
    const twice = names.find((name, i) => name.startsWith("normalise") && names.indexOf(name) < i);
    if (twice !== undefined)
      fail("wrappers", `${twice} is listed twice, but has one set of statistics. List it once.`);
    for (const { name, statistics } of kept)
      if (statistics) this.shared.set(name, RunningStatistics.from(statistics));
  }

  /** The wrappers with their current statistics. */
  get kept(): WrapperState[] {
    return this.names.map((name) => {
      const found = this.shared.get(name);
      if (!found) return { name };
      const { mean, variance, count } = found;
      return { name, statistics: { mean, variance, count } };
    });
  }

  /** Wraps a training environment. */
  train(env: VectorEnv): VectorEnv {
    return this.names.reduce((inner, name) => put(name, inner, this.statistics(name, true)), env);
  }

  /** Wraps an evaluation environment: statistics are frozen, and rewards are unchanged. */
  evaluate(env: VectorEnv): VectorEnv {
    const names = this.names.filter((name) => !kinds[kindOf(name)].reward);
    return names.reduce((inner, name) => put(name, inner, this.statistics(name, false)), env);
  }

  private statistics(name: string, training: boolean): Running {
    return {
      training,
      statistics: this.shared.get(name),
      made: (statistics) => this.shared.has(name) || this.shared.set(name, statistics),
    };
  }
}

/** Running statistics of a wrapper: the existing ones, or a slot for new ones. */
interface Running {
  readonly training: boolean;
  readonly statistics: RunningStatistics | undefined;
  made(statistics: RunningStatistics): void;
}

/** Options as they appear after a wrapper's name. */
type Options = { readonly [name: string]: number | boolean };

interface Kind {
  wrap(env: VectorEnv, running: Running, options: Options): VectorEnv;
  /** Whether options may follow its name; the wrapper itself refuses unknown ones. */
  readonly options?: boolean;
  /** Whether it changes only rewards, which matter in training. */
  readonly reward?: boolean;
  /** Loads what it needs for training. */
  load?(): Promise<void>;
}

type Bonuses = typeof import("./bonuses.ts");
let bonuses: Bonuses | undefined;

/** Wrappers by name. */
export type WrapperName =
  | "clipAction"
  | "clipReward"
  | "counts"
  | "disagreement"
  | "flattenObservation"
  | "icm"
  | "normaliseObservation"
  | "normaliseReward"
  | "rescaleAction"
  | "rescaleObservation"
  | "rnd";

const kinds: { readonly [name: string]: Kind } = {
  clipAction: { wrap: (env) => clipAction(env) },
  clipReward: { wrap: (env) => clipReward(env), reward: true },
  counts: bonus("counts"),
  disagreement: bonus("disagreement"),
  flattenObservation: { wrap: (env) => flattenObservation(env) },
  icm: bonus("icm"),
  normaliseObservation: {
    wrap: (env, { made, ...options }) => noted(normaliseObservation(env, options), made),
  },
  normaliseReward: {
    wrap: (env, { made, ...options }) => noted(normaliseReward(env, options), made),
    reward: true,
  },
  rescaleAction: { wrap: (env) => rescaleAction(env) },
  rescaleObservation: { wrap: (env) => rescaleObservation(env) },
  rnd: bonus("rnd"),
} satisfies { readonly [name in WrapperName]: Kind };

/** The wrapper of a word: options may follow its name, as in `rnd:weight=0.5:only`. */
export const kindOf = (word: string): string => word.split(":", 1)[0];

/** Loads what these wrappers need for training; evaluating and acting need nothing. */
export async function loadWrappers(names: readonly string[]): Promise<void> {
  if (!Array.isArray(names)) return;
  for (const word of names) await kinds[kindOf(`${word}`)]?.load?.();
}

function admit(word: string): void {
  const name = kindOf(word);
  if (!Object.hasOwn(kinds, name))
    fail(
      "wrappers",
      `${name} does not exist.${didYouMean(name, Object.keys(kinds))} There are ${Object.keys(kinds).join(", ")}.`,
    );
  if (word !== name && !kinds[name].options)
    fail("wrappers", `${name} takes no options; got ${word}. Remove them.`);
}

function put(word: string, env: VectorEnv, running: Running): VectorEnv {
  return kinds[kindOf(word)].wrap(env, running, optionsOf(word));
}

/** Parses options after a name: numbers, and switches, which default to true. */
function optionsOf(word: string): Options {
  const [, ...given] = word.split(":");
  return Object.fromEntries(
    given.map((text) => {
      const [name, value = "true"] = text.split("=");
      if (value === "true" || value === "false") return [name, value === "true"];
      const number = Number(value);
      if (value === "" || Number.isNaN(number))
        fail(word, `${name} is ${value || "nothing"}; it must be a number, true or false.`);
      return [name, number];
    }),
  );
}

/** An exploration bonus, once its package part is loaded. */
function bonus(name: keyof Bonuses): Kind {
  return {
    wrap(env, _, options) {
      if (!bonuses)
        fail(
          "wrappers",
          `${name} has networks, which only \`train\` loads. Wrap the environment instead: (rows) => ${name}(make(id, { rows })).`,
        );
      return bonuses[name](env, options);
    },
    options: true,
    reward: true,
    load: async () => {
      bonuses = await import("./bonuses.ts");
    },
  };
}

function noted<E extends VectorEnv & { readonly statistics: RunningStatistics }>(
  env: E,
  made: Running["made"],
): E {
  made(env.statistics);
  return env;
}
