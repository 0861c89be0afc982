import { fail } from "../errors.ts";
import type { ExampleSource } from "../example-source.ts";
import { checkIndex } from "./array.ts";
import { textHash } from "./text-hash.ts";

/** Some examples of a source, by index. */
export function exampleSubset<T>(source: ExampleSource<T>, indices: Int32Array): ExampleSource<T> {
  const { name } = source;
  const { length: count } = indices;
  let digest: string | undefined;
  return {
    name,
    count,
    get digest() {
      return (digest ??= `${source.digest}/${hashOf(indices).toString(16)}`);
    },
    read: (index) => source.read(indices[checkIndex(name, count, index)]),
    locate: (index) => source.locate(indices[checkIndex(name, count, index)]),
    ...(source.close ? { close: () => source.close?.() } : {}),
  };
}

/** Hash of a list of indices, without writing it as text. */
const hashOf = (indices: Int32Array): number =>
  indices.reduce((h, i) => textHash(`${h} ${i}`), indices.length);

/** Training and held-out examples. */
export interface ExampleSplit<T> {
  readonly train: ExampleSource<T>;
  readonly test: ExampleSource<T>;
}

/** Settings of {@link splitExamples}. */
export interface SplitOptions<T> {
  /** Share of keys that are held out, from 0 to below 1. */
  readonly test: number;
  /** Hash of what must not be in both splits, such as the prompt. Examples with equal keys stay together. */
  key(example: T, index: number): number;
  /** The split that an example names itself. If any does, those of all others are `train`. */
  own?(example: T, index: number): "train" | "test" | undefined;
}

/**
 * Splits a source by a hash of each example's key, so that the split depends neither on the order of the examples nor on a seed, and an
 * example keeps its side while others are added: the keys with the lowest hashes are held out. Reads every example once.
 */
export function splitExamples<T>(
  source: ExampleSource<T>,
  { test, key, own }: SplitOptions<T>,
): ExampleSplit<T> {
  const { count } = source;
  const keys = new Uint32Array(count);
  const named = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const example = source.read(i);
    keys[i] = key(example, i);
    named[i] = { train: 1, test: 2, none: 0 }[own?.(example, i) ?? "none"];
  }
  return splitByKeys(source, { test, keys, named });
}

/** Settings of {@link splitByKeys}. */
export interface KeySplitOptions {
  /** Share of keys that are held out, from 0 to below 1. */
  readonly test: number;
  /** The key of each example. */
  readonly keys: Uint32Array;
  /** The split that each example names itself: 1 for training, 2 for test, 0 for none. */
  readonly named?: Uint8Array;
}

/** Splits a source whose keys are known, as {@link splitExamples} does, without reading it. */
export function splitByKeys<T>(
  source: ExampleSource<T>,
  { test, keys, named = new Uint8Array(keys.length) }: KeySplitOptions,
): ExampleSplit<T> {
  const { count, name } = source;
  if (!(test >= 0 && test < 1)) fail(name, `test is ${test}; it must be at least 0 and below 1.`);
  const isNamed = named.some((n) => n > 0);
  const limit = isNamed ? 0 : lowest(keys, test);
  const isTest = (i: number) => (isNamed ? named[i] === 2 : keys[i] < limit);
  const side = (wanted: boolean) => {
    let size = 0;
    for (let i = 0; i < count; i++) if (isTest(i) === wanted) size++;
    const indices = new Int32Array(size);
    for (let i = 0, at = 0; i < count; i++) if (isTest(i) === wanted) indices[at++] = i;
    return exampleSubset(source, indices);
  };
  return { train: side(false), test: side(true) };
}

/** The bound below which a share of the distinct keys lies: at least one of them, and not all. */
function lowest(keys: Uint32Array, share: number): number {
  const sorted = keys.slice().sort();
  let distinct = 0;
  for (let i = 0; i < sorted.length; i++)
    if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[distinct++] = sorted[i];
  if (share === 0 || distinct < 2) return 0;
  return sorted[Math.min(distinct - 1, Math.max(1, Math.round(share * distinct)))];
}
