import type { Tuned } from "@reins/algorithms";
import {
  type Algorithm,
  type AlgorithmMaker,
  defaultSeed,
  Run,
  type RunOptions,
  requireAlgorithm,
} from "@reins/core";
import type { RunSettings, Wishes } from "@reins/core/directory";
import { fileOf } from "../places/algorithm-files.ts";
import { type Source, wrapped } from "../places/source.ts";
import { type KeptWrapper, loadWrappers } from "../places/wrappers.ts";
import { checkTargets, type Targets, targetsIn } from "./targets.ts";

/** What a run is made of, wherever that was said: in a program, on a command line, or in the configuration of a run that was kept. */
export interface AssemblyOptions
  extends Wishes,
    Targets,
    Pick<RunOptions, "seed" | "plan" | "task" | "data"> {
  readonly place: Source;
  /** A name, which takes the settings that were found for the place, or an algorithm that has its own. */
  readonly algorithm: string | Algorithm;
  /** Settings over those that were found. */
  readonly settings?: { readonly [option: string]: unknown };
  /** Leaves aside what was found: settings, wrappers, steps. */
  readonly defaults?: boolean;
  /** Wrappers by name, the innermost first; by default those that were found. */
  readonly wrappers?: readonly string[];
  /** What wrappers had seen when an agent was kept that goes on here. */
  readonly kept?: readonly KeptWrapper[];
  /** Steps from one keeping of sampled answers to the next. */
  readonly samplesEvery?: number;
  /** Files of the settings that are code. */
  readonly files?: { readonly [option: string]: string };
}

/** A run that can begin. */
export interface Assembly {
  /** Where it takes place, wrappers included. */
  readonly place: Source;
  readonly algorithm: Algorithm;
  /** The settings that were found for this pair, if they are used. */
  readonly tuned: Tuned | undefined;
  /** What a directory keeps of it, to find all of this again. */
  readonly config: RunSettings & Targets & { readonly seed: number };
  /** The run at its beginning. Compiles, and refuses what cannot be done here. */
  begin(): Run;
  /** The same with another seed. */
  seeded(seed: number): Assembly;
}

/** Environment steps of a run for which nobody says how many. */
const defaultSteps = 100_000;

/** Puts a run together: every run of `train`, of the command line and of `load` comes from here. */
export async function assemble(options: AssemblyOptions): Promise<Assembly> {
  const { algorithm: wanted, settings = {}, plan, task, data } = options;
  const targets = targetsIn(options);
  const tuned =
    typeof wanted === "string" && !options.defaults ? await tunedIn(options.place, wanted) : undefined;
  const wrappers = options.wrappers ?? tuned?.wrappers ?? [];
  await loadWrappers(wrappers);
  // What wrappers have seen is a run's own.
  const placeOfRun = () => wrapped(options.place, wrappers, options.kept);
  const algorithm =
    typeof wanted === "string"
      ? made(await makerNamed(wanted), tuned?.options, settings)
      : requireAlgorithm("train", wanted);
  const steps = options.steps ?? tuned?.steps ?? defaultSteps;
  const { checkpointEvery, evalEpisodes, evalEvery, solved, samplesEvery, files = {} } = options;
  const module = await fileOf(algorithm.name);
  const seeded = (seed: number, place = placeOfRun()): Assembly => ({
    seeded: (other) => seeded(other),
    place,
    algorithm,
    tuned,
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

const makerNamed = async (name: string) => (await import("../places/algorithms.ts")).makerOf(name);

/** An algorithm with settings over those that were found. What was found for layers goes where a network of one's own takes their place. */
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

/** Settings that were found for an algorithm in a place, be it Gymnasium's own, or that suit its kind. */
async function tunedIn(place: Source, algorithm: string): Promise<Tuned | undefined> {
  const { tunedFor } = await import("../places/algorithms.ts");
  return tunedFor(algorithm, place.spec.id.replace(/^gymnasium:/, "")) ?? place.tuned?.(algorithm);
}
