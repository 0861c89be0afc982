import {
  type ExampleSource,
  type ExampleSplit,
  exampleFault,
  exampleSubset,
  splitByKeys,
  textHash,
} from "@reins/core/examples";
import { type Example, exampleKinds, promptIn } from "./example.ts";

/** A fault that examples have in common. */
export interface ExampleFault {
  readonly message: string;
  readonly count: number;
  /** Locations of the first examples that have it. */
  readonly at: readonly string[];
}

/** What a pass over all examples found. */
export interface ExampleSurvey {
  /** The examples that can be used. */
  readonly usable: ExampleSource<Example>;
  /** How many of each kind there are. */
  readonly kinds: ReadonlyMap<Example["kind"], number>;
  /** Number of examples that cannot be used. */
  readonly invalid: number;
  /** Their faults, the most frequent first. */
  readonly faults: readonly ExampleFault[];
  /**
   * How many examples that name the test split have the prompt of one that names the training split, found by hashes of 32 bits: in large
   * files a few may be chance.
   */
  readonly leaked: number;
  /** Training and held-out examples: as they say themselves, else a share of the prompts. */
  split(test: number): ExampleSplit<Example>;
  /** Hashes of the prompts on both sides of `split(test)`, to find prompts that are held out of one file and trained on in another. */
  promptHashes(test: number): { readonly train: Uint32Array; readonly test: Uint32Array };
}

/** Maximum number of different faults that are told apart, and of locations of each. */
const [mostFaults, mostPlaces] = [100, 5];

/** Reads every example once. `see` gets each usable one, with its index in the source. */
export function surveyExamples(
  source: ExampleSource<Example>,
  see?: (example: Example, index: number) => void,
): ExampleSurvey {
  const { count } = source;
  const keys = new Uint32Array(count);
  const named = new Uint8Array(count);
  const indices = new Int32Array(count);
  const kinds = new Map<Example["kind"], number>();
  const faults = new Map<string, { count: number; at: string[] }>();
  let usable = 0;
  for (let i = 0; i < count; i++) {
    let example: Example;
    try {
      example = source.read(i);
    } catch (error) {
      note(exampleFault(error).message, source.locate(i));
      continue;
    }
    keys[usable] = textHash(promptIn(example));
    named[usable] = { train: 1, test: 2, none: 0 }[example.split ?? "none"];
    indices[usable++] = i;
    kinds.set(example.kind, (kinds.get(example.kind) ?? 0) + 1);
    see?.(example, i);
  }
  const good = usable === count ? source : exampleSubset(source, indices.slice(0, usable));
  const found = [...faults].map(([message, f]) => ({ message, ...f }));
  return {
    usable: good,
    kinds: new Map(exampleKinds.flatMap((kind) => (kinds.has(kind) ? [[kind, kinds.get(kind)!]] : []))),
    invalid: count - usable,
    faults: found.sort((a, b) => b.count - a.count),
    get leaked() {
      return leaksIn(keys.subarray(0, usable), named);
    },
    split: (test) => sides(good, test),
    promptHashes(test) {
      const { locate, name, digest } = good;
      const hashes = sides({ name, digest, locate, count: usable, read: (i) => keys[i] }, test);
      const all = ({ count, read }: ExampleSource<number>) =>
        Uint32Array.from({ length: count }, (_, i) => read(i));
      return { train: all(hashes.train), test: all(hashes.test) };
    },
  };

  function sides<T>(source: ExampleSource<T>, test: number): ExampleSplit<T> {
    return splitByKeys(source, { test, keys: keys.subarray(0, usable), named: named.subarray(0, usable) });
  }

  function note(text: string, at: string): void {
    const message = text.startsWith(`${at}: `) ? text.slice(at.length + 2) : text;
    const key = faults.has(message) || faults.size < mostFaults ? message : "other faults";
    const fault = faults.get(key) ?? { count: 0, at: [] };
    fault.count++;
    if (fault.at.length < mostPlaces) fault.at.push(at);
    faults.set(key, fault);
  }
}

/** Number of keys of the test side that are also on the training side. */
function leaksIn(keys: Uint32Array, named: Uint8Array): number {
  const trained = new Set(keys.filter((_, i) => named[i] === 1));
  return trained.size ? keys.filter((key, i) => named[i] === 2 && trained.has(key)).length : 0;
}
