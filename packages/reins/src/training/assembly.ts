import type { Tuned } from "@reins/algorithms";
import { type Algorithm, type AlgorithmMaker, Run, type RunOptions } from "@reins/core";
import type { ResumeOptions, RunSettings } from "@reins/core/directory";
import { requireAlgorithm } from "@reins/core/loops";
import { defaultSeed } from "@reins/core/random";
import { fileOf } from "../places/algorithm-files.ts";
import { type Source, wrapped } from "../places/source.ts";
import { loadWrappers, type WrapperState } from "../places/wrappers.ts";
import { checkTargets, type Targets, targetsIn } from "./targets.ts";

/** Components of a run, from a program, a command line or a saved configuration. */
export interface AssemblyOptions
  extends ResumeOptions,
    Targets,
    Pick<RunOptions, "seed" | "plan" | "task" | "data"> {
  readonly place: Source;
  /** A name, which uses the tuned settings for the environment, or an algorithm with its own settings. */
  readonly algorithm: string | Algorithm;
  /** Settings that override the tuned ones. */
  readonly settings?: { readonly [option: string]: unknown };
  /** Ignores tuned settings, wrappers and steps. */
  readonly defaults?: boolean;
  /** Wrappers by name, innermost first (default: the tuned ones). */
  readonly wrappers?: readonly string[];
  /** Statistics of the wrappers of the agent that training starts from. */
  readonly kept?: readonly WrapperState[];
  /** Environment steps between saved samples. */
  readonly samplesEvery?: number;
  /** Files of settings that are code. */
  readonly files?: { readonly [option: string]: string };
}

/** A run that is ready to begin. */
export interface Assembly {
  /** The environment with its wrappers, or the language task. */
  readonly place: Source;
  readonly algorithm: Algorithm;
  /** The tuned settings for this algorithm and environment, if used. */
  readonly tuned: Tuned | undefined;
  /** The configuration that the run directory stores. */
  readonly config: RunSettings & Targets & { readonly seed: number };
  /** What the user should know before training. */
  readonly notes: readonly string[];
  /** Creates the run: compiles it and checks that the algorithm supports the environment. */
  begin(): Run;
  /** The same assembly with another seed. */
  seeded(seed: number): Assembly;
}

/** Default number of environment steps. */
const defaultSteps = 100_000;

/** Assembles a run. `train`, the command line and `load` all use it. */
export async function assemble(options: AssemblyOptions): Promise<Assembly> {
  const { algorithm: wanted, settings = {}, plan, task, data } = options;
  const targets = targetsIn(options);
  const tuned =
    typeof wanted === "string" && !options.defaults ? await tunedIn(options.place, wanted) : undefined;
  const wrappers = options.wrappers ?? tuned?.wrappers ?? [];
  await loadWrappers(wrappers);
  // Statistics of wrappers belong to one run.
  const placeOfRun = () => wrapped(options.place, wrappers, options.kept);
  const algorithm =
    typeof wanted === "string"
      ? made(await makerNamed(wanted), tuned?.options, settings)
      : requireAlgorithm("train", wanted);
  const steps = options.steps ?? tuned?.steps ?? defaultSteps;
  const { checkpointEvery, evalEpisodes, evalEvery, solved, samplesEvery, files = {} } = options;
  const module = await fileOf(algorithm.name);
  const notes = [...(options.place.notes ?? []), ...phaseNotes(options.place, algorithm, steps)];
  const seeded = (seed: number, place = placeOfRun()): Assembly => ({
    seeded: (other) => seeded(other),
    place,
    algorithm,
    tuned,
    notes,
    config: {
      algorithm: algorithm.name,
      options: algorithm.options,
      env: place.spec.id,
      envOptions: place.options,
      ...(place.spec.returnBounds ? { returnBounds: place.spec.returnBounds } : {}),
      steps,
      seed,
      checkpointEvery,
      evalEpisodes,
      evalEvery,
      solved,
      ...(samplesEvery === undefined ? {} : { samplesEvery }),
      ...place.more,
      ...(Object.keys(files).length ? { files } : {}),
      ...(module === undefined ? {} : { algorithmModule: module }),
      ...targets,
    },
    begin() {
      checkTargets(place, targets);
      const first = place.prepare?.(algorithm) ?? algorithm;
      return new Run({ algorithm: first, env: place, steps, seed, plan, task, data });
    },
  });
  return seeded(options.seed ?? defaultSeed);
}

/** A note on a supervised phase that leaves no steps for the algorithm. */
function phaseNotes({ supervisedTokens = 0 }: Source, { name }: Algorithm, steps: number): string[] {
  if (name === "sft" || supervisedTokens < steps) return [];
  return [
    `The supervised phase takes ${supervisedTokens} of ${steps} tokens, so ${name} never starts. Raise steps, or lower supervisedTokens, which may be 0 (--env-supervised-tokens).`,
  ];
}

const makerNamed = async (name: string) => (await import("../places/algorithms.ts")).makerOf(name);

/** Creates an algorithm with settings that override the tuned ones. A custom network replaces tuned layer sizes. */
function made(
  maker: AlgorithmMaker,
  found: { readonly [option: string]: unknown } = {},
  settings: { readonly [option: string]: unknown },
): Algorithm {
  const { options } = maker.definition;
  const replaced = Object.keys(settings).flatMap((k) => Object.keys(options[k]?.code ?? {}));
  const kept = Object.entries(found).filter(([k]) => !replaced.includes(k));
  return maker({ ...Object.fromEntries(kept), ...settings });
}

/** Tuned settings for an algorithm and environment (Gymnasium's name counts as ours), or for its kind of task. */
async function tunedIn(place: Source, algorithm: string): Promise<Tuned | undefined> {
  const { tunedFor } = await import("../places/algorithms.ts");
  return tunedFor(algorithm, place.spec.id.replace(/^gymnasium:/, "")) ?? place.tuned?.(algorithm);
}
