import { type EnvSpec, fail, type Space, type StepEnvironment } from "@reins/core";
import { checkKeys, describeValue, printable } from "@reins/core/errors";
import { checkUsualRange } from "@reins/core/settings";
import { spaceFault } from "@reins/core/spaces";
import { PythonEnv } from "./python-env.ts";
import { PythonHost } from "./python-host.ts";

/** Options of a Python environment. */
export interface PythonOptions {
  /** Arguments of the environment; `isSlippery` becomes `is_slippery`. */
  readonly options?: { readonly [name: string]: unknown };
  /** The interpreter; by default the one in REINS_PYTHON, or `python3`. */
  readonly python?: string;
  /**
   * Whether to apply action masks: from its method `action_masks()`, or from `action_mask` in the info of a step
   * or in the observation. True by default.
   */
  readonly masks?: boolean;
  /**
   * Encoded characters of each text in the observation, as a box of numbers from 0 to 1 (an ASCII code each, 0
   * after the end). More distinguishes longer texts and widens the network's input (16 to 64). By default texts
   * within a Dict are left out, with a warning.
   */
  readonly text?: number;
  /** Timeout of a call in milliseconds; 60 000 by default. */
  readonly timeout?: number;
}

/** All option names, checked against the type. */
const names: { readonly [name in keyof Required<PythonOptions>]: true } = {
  options: true,
  python: true,
  masks: true,
  text: true,
  timeout: true,
};

/** An environment in Python, usable wherever an environment is expected. */
export interface PythonEnvSource extends StepEnvironment {
  /** Arguments of the environment. */
  readonly options: { readonly [name: string]: unknown };
  /** The state of a Python process cannot be saved. */
  readonly savable: false;
}

/**
 * An installed Gymnasium environment. Its copies run in one separate Python process and are stepped as by
 * Gymnasium's `SyncVectorEnv`, but reset in the step that ends an episode, like all Reins environments. Row i has
 * the same seed as here.
 *
 * const agent = await train({ algorithm: "ppo", env: gymnasium("LunarLander-v3") });
 */
export const gymnasium = (id: string, options: PythonOptions = {}): PythonEnvSource =>
  inPython("gymnasium", id, options);

/** An installed PettingZoo parallel environment, by its module: `pettingzoo("pettingzoo.butterfly.pistonball_v6")`. */
export const pettingzoo = (module: string, options: PythonOptions = {}): PythonEnvSource =>
  inPython("pettingzoo", module, options);

/** The description of an environment from Python. */
interface Described {
  readonly observation: unknown;
  readonly action: unknown;
  readonly maxSteps?: number | null;
  readonly solvedAt?: number | null;
  readonly agents?: readonly string[];
  readonly renders: boolean;
  /** Text parts of the observation that were left out. */
  readonly leftOut?: readonly string[];
  /** Entries of an action mask; 0 if there is none. */
  readonly choices: number;
}

function inPython(kind: "gymnasium" | "pettingzoo", id: string, how: PythonOptions): PythonEnvSource {
  const {
    options = {},
    python = process.env.REINS_PYTHON || "python3",
    timeout = 60_000,
    masks = true,
    text,
  } = how;
  const name = `${kind}:${id}`;
  checkKeys(name, how, Object.keys(names));
  checkUsualRange(name, "timeout", timeout, "positive", 60_000);
  if (text !== undefined && !(Number.isInteger(text) && text >= 1 && text <= 4096))
    fail(name, `text is ${describeValue(text)}. Use the number of characters to encode: 1 to 4096.`);
  const seconds = timeout / 1000;
  const args = Object.fromEntries(Object.entries(options).map(([key, value]) => [snake(key), value]));
  const start = () => {
    const host = new PythonHost(name, python, seconds);
    const described = host.ask({
      call: "describe",
      kind,
      id,
      arguments: args,
      masks,
      text: text ?? 0,
      timeout: seconds,
    });
    const fault = describedFault(described);
    if (fault) host.malformed(fault);
    return { host, described: described as Described };
  };
  // The process that describes the environment also runs it, in training and in evaluation.
  let { host, described } = start();
  const spec = specOf(name, described);
  noteLeftOut(name, described.leftOut ?? []);
  return {
    spec,
    options,
    savable: false,
    make(rows) {
      if (host.isClosed) ({ host, described } = start());
      return new PythonEnv(host, spec, rows, described);
    },
  };
}

/** Environments whose left-out texts were already reported. */
const noted = new Set<string>();

/** Reports once per environment which parts are not observed. */
function noteLeftOut(name: string, parts: readonly string[]): void {
  if (parts.length === 0 || noted.has(name)) return;
  noted.add(name);
  const [are, them] = parts.length > 1 ? ["are", "them"] : ["is", "it"];
  console.warn(
    printable(
      `${name}: ${parts.join(", ")} ${are} text and left out. To encode ${them}: --env-text 32, or { text: 32 } in a program.`,
    ),
  );
}

/** What is wrong with a received description. */
function describedFault(given: unknown): string | undefined {
  const { observation, action, maxSteps, solvedAt, agents, renders, choices, leftOut } = Object(
    given,
  ) as Described;
  for (const [what, space] of Object.entries({ observation, action })) {
    const fault = spaceFault(spaceOf(space ?? null));
    if (fault) return `a description whose ${what} ${fault}`;
  }
  if (leftOut !== undefined && !(Array.isArray(leftOut) && leftOut.every((part) => typeof part === "string")))
    return "a description whose parts left out have no names";
  const isNumber = (x: unknown) => x == null || typeof x === "number";
  if (!isNumber(maxSteps) || !isNumber(solvedAt)) return "a description whose limits are not numbers";
  if (
    agents !== undefined &&
    !(Array.isArray(agents) && agents.length && agents.every((a) => typeof a === "string"))
  )
    return "a description whose agents have no names";
  return typeof renders === "boolean" && Number.isSafeInteger(choices) && choices >= 0
    ? undefined
    : "a description without renders and choices";
}

function specOf(id: string, { observation, action, maxSteps, solvedAt, agents }: Described): EnvSpec {
  return {
    id,
    observation: spaceOf(observation),
    action: spaceOf(action),
    ...(maxSteps == null ? {} : { maxSteps }),
    ...(solvedAt == null ? {} : { solvedAt }),
    ...(agents ? { agents: { names: agents, order: "parallel" } } : {}),
  };
}

/** JSON has no infinities: they are sent as strings. */
const spaceOf = (described: unknown): Space =>
  JSON.parse(JSON.stringify(described), (_, x) =>
    x === "inf" ? Number.POSITIVE_INFINITY : x === "-inf" ? Number.NEGATIVE_INFINITY : x,
  ) as Space;

/** A name in snake case. */
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
