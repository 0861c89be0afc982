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

/** A wrapper by its name (with its options where some were given), with its running statistics where it has some. */
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
    for (const word of names) admit(word);
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
    return this.names.reduce((inner, name) => put(name, inner, this.statistics(name, true)), env);
  }

  /** An environment to be measured in: statistics stand still, and rewards are as they are. */
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

/** Running statistics as a wrapper gets them: those that there are, or a place for those that it makes. */
interface Running {
  readonly training: boolean;
  readonly statistics: RunningStatistics | undefined;
  made(statistics: RunningStatistics): void;
}

/** Options as they stand behind a wrapper's name. */
type Options = { readonly [name: string]: number | boolean };

interface Kind {
  wrap(env: VectorEnv, running: Running, options: Options): VectorEnv;
  /** Options may stand behind its name; the wrapper itself refuses those that it does not have. */
  readonly options?: boolean;
  /** It changes rewards only, which matter in training. */
  readonly reward?: boolean;
  /** Brings what it needs to train with. */
  load?(): Promise<void>;
}

type Bonuses = typeof import("./bonuses.ts");
let bonuses: Bonuses | undefined;

/** The wrappers that can be asked for by name. */
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

/** The wrapper that a word names: options may stand behind it, as in `rnd:weight=0.5:only`. */
export const kindOf = (word: string): string => word.split(":", 1)[0];

/** Brings what these wrappers need to train with; those that only measure or act need nothing. */
export async function loadWrappers(names: readonly string[]): Promise<void> {
  if (!Array.isArray(names)) return;
  for (const word of names) await kinds[kindOf(`${word}`)]?.load?.();
}

function admit(word: string): void {
  const name = kindOf(word);
  if (!Object.hasOwn(kinds, name))
    fail(
      "wrappers",
      `there is no ${name}.${didYouMean(name, Object.keys(kinds))} There are ${Object.keys(kinds).join(", ")}.`,
    );
  if (word !== name && !kinds[name].options) fail("wrappers", `${name} takes no options; this is ${word}.`);
}

function put(word: string, env: VectorEnv, running: Running): VectorEnv {
  return kinds[kindOf(word)].wrap(env, running, optionsOf(word));
}

/** What stands behind a name: numbers, and switches, which are on where nothing else is said. */
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

/** A bonus for what is new, once such are there. */
function bonus(name: keyof Bonuses): Kind {
  return {
    wrap(env, _, options) {
      if (!bonuses)
        fail(
          "wrappers",
          `${name} has networks, which \`train\` loads. Here, put it around the environment: (rows) => ${name}(make(id, { rows })).`,
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
