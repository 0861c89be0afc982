import { algorithms } from "@reins/algorithms";
import type { AlgorithmMaker } from "@reins/core";
import { loadCode } from "../places/code-options.ts";
import { rewardJudgeName } from "../places/text/judge.ts";
import { type Assembly, type AssemblyOptions, assemble } from "../training/assembly.ts";
import { assembleFrom, type Learner, loadLearner, refuseEnv } from "../training/from-agent.ts";
import { algorithmFlags, readAny } from "./algorithm-flags.ts";
import { type Arguments, noMore, readArguments } from "./arguments.ts";
import { agentNamed } from "./find-run.ts";
import { camel, type Flags, type GivenFlags } from "./flags.ts";
import { withModelFlags } from "./model-flags.ts";
import { algorithmNamed, envId, envNamed } from "./names.ts";
import { nearFlags } from "./near-flags.ts";
import { useThreads } from "./threads.ts";
import { runFlags, type trainFlags } from "./training-flags.ts";
import { typedAlgorithm, withAlgorithmFile, withAlgorithmName } from "./typed-algorithm.ts";
import { usageError } from "./usage.ts";

/** A training job, from the command line. */
export interface Setup<F extends Flags> {
  readonly maker: AlgorithmMaker;
  readonly assembly: Assembly;
  /** The environment argument: an id or a file. */
  readonly envName: string;
  /** Settings given on the command line. */
  readonly typed: { readonly [option: string]: unknown };
  readonly flags: Arguments<F & typeof runFlags>["flags"];
}

/** The agent of `--from`, which supplies the algorithm and the environment if they are not given. */
async function typedAgent(args: readonly string[]): Promise<Learner | undefined> {
  const at = args.findIndex((a) => a === "--from" || a.startsWith("--from="));
  const path = at < 0 ? undefined : args[at] === "--from" ? args[at + 1] : args[at].slice("--from=".length);
  return path === undefined ? undefined : loadLearner(agentNamed(path));
}

/** The judge that the flags name: a judge, or a reward model. */
function judgeIn(given: GivenFlags<typeof runFlags>): string | undefined {
  const { judge, "reward-model": folders, "reward-aggregate": aggregate } = given;
  if (aggregate !== undefined && folders === undefined)
    usageError("--reward-aggregate needs --reward-model FOLDERS.");
  if (folders === undefined) return judge;
  if (judge !== undefined) usageError("--judge and --reward-model are alternatives. Give one of them.");
  return rewardJudgeName(folders, aggregate);
}

/** Flags of the given algorithm, for help. */
export function settingsGroup(args: readonly string[], taken: Flags): { readonly [heading: string]: Flags } {
  const all = { ...runFlags, ...taken };
  const maker = typedAlgorithm(args, all);
  return maker ? { [`Settings of ${maker.definition.name}`]: algorithmFlags(maker, all).flags } : {};
}

/** Parses `<algorithm> <env>` and all their flags. */
export async function readSetup<F extends Flags>(
  typedArgs: readonly string[],
  own: F,
  command: string,
): Promise<Setup<F>> {
  const taken = { ...runFlags, ...own };
  if (typedArgs.some((a) => a === "--env" || a.startsWith("--env=")))
    usageError(`the environment has no flag here. Give it as a word: reins ${command} ppo ./my-env.js.`);
  const wholeArgs = withModelFlags(typedArgs);
  const agent = await typedAgent(wholeArgs);
  // With an agent of a built-in algorithm, a file is the environment.
  const known = agent !== undefined && Object.hasOwn(algorithms, agent.content.algorithm);
  const args = known ? withAlgorithmName(wholeArgs, taken) : await withAlgorithmFile(wholeArgs, taken);
  const maker =
    typedAlgorithm(args, taken) ??
    (agent ? algorithmNamed(agent.content.algorithm) : missingAlgorithm(args, command));
  const settings = algorithmFlags(maker, taken);
  const { name } = maker.definition;
  const { words, flags, open } = readArguments(
    args,
    { ...settings.flags, ...taken },
    // With the algorithm, the help lists its settings too.
    { command: `${command} ${name}`, open: "env-", near: () => nearFlags(args, maker) },
  );
  const named = words.filter((w) => w !== name);
  const rest = agent && !named.length ? [agent.env ?? refuseEnv(agent.name, agent.content)] : named;
  if (!rest.length)
    usageError(
      `missing environment. Example: reins ${command} ${name} CartPole-v1. Run reins envs for a list.`,
    );
  noMore(rest, 1, command);
  const envName = envId(rest[0]);
  const given = flags as GivenFlags<typeof trainFlags>;
  const typed = Object.fromEntries(
    Object.entries(settings.options)
      .filter(([flag]) => flag in flags)
      .map(([flag, option]) => [option, flags[flag]]),
  );
  // Traced environments compile their step when they are created.
  useThreads(given.threads, given.device);
  const envOptions = Object.fromEntries(Object.entries(open).map(([k, v]) => [camel(k), readAny(v)]));
  const fromAgent = agent !== undefined && !named.length ? agent.name : undefined;
  const place = await envNamed(envName, envOptions, judgeIn(given), name, fromAgent);
  const { settings: alive, files } = await loadCode(maker, typed);
  const { defaults, wrappers, steps, seed, solved } = given;
  const begin = (options: AssemblyOptions) =>
    agent ? assembleFrom(agent.content, agent.name, options) : assemble(options);
  const assembly = await begin({
    place,
    algorithm: name,
    settings: alive,
    files,
    defaults,
    wrappers,
    steps,
    seed,
    solved,
    checkpointEvery: given["checkpoint-every"],
    evalEpisodes: given["eval-episodes"],
    evalEvery: given["eval-every"],
    samplesEvery: given["samples-every"],
    saveModel: given["save-model"],
    saveAdapters: given["save-adapters"],
  }).catch((error: Error) => usageError(error.message));
  return {
    maker,
    assembly,
    envName,
    typed,
    flags: flags as Setup<F>["flags"],
  };
}

function missingAlgorithm(args: readonly string[], command: string): AlgorithmMaker {
  const word = args.find((a) => !a.startsWith("-"));
  if (word === undefined)
    return usageError(`missing algorithm and environment. Example: reins ${command} ppo CartPole-v1.`);
  return algorithmNamed(word);
}
