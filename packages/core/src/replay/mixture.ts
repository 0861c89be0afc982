import {
  add,
  ge,
  iota,
  leaves,
  ones,
  random,
  scalar,
  sub,
  type Tensor,
  tensor,
  treeMap,
  where,
} from "@reins/tensor";
import type { Batch, Columns } from "../batch.ts";
import { fail } from "../errors.ts";
import type { Experience, ReplayBuffer } from "../experience.ts";
import { defaultRng } from "../numpy/index.ts";
import type { LiveValue } from "../signals/live.ts";
import type { Snapshot } from "../snapshot.ts";
import { defaultSeed, stream } from "../stream.ts";
import { gatherRows } from "./minibatch.ts";
import type { ReplayBufferMaker } from "./replay.ts";

/** Experience, or a replay maker, and its share of every minibatch. Shares are relative to their sum. */
export interface MixturePart<E extends Experience | ReplayBufferMaker = Experience | ReplayBufferMaker> {
  readonly of: E;
  readonly share: number | LiveValue;
}

/** Settings of {@link mixed}. */
export interface MixedOptions {
  /** Minibatch size. */
  readonly batch: number;
  readonly seed?: number;
}

/** Several recorded datasets as one, each with its share of every minibatch, to within one entry. */
export function mixed(
  ingredients: readonly MixturePart<Experience>[],
  { batch, seed = defaultSeed }: MixedOptions,
): Experience {
  if (ingredients.length === 0) fail("mixed", "got no parts. Pass at least one.");
  const parts = ingredients.map(({ of }) => of);
  return new Mixture(parts, ingredients, batch, seed);
}

/**
 * Several kinds of experience as one: demonstrations and online data, successes and the rest. Each minibatch takes its share of each, to
 * within one entry; while a part is empty, its share goes to the others. The steps of the rollout go to all parts that grow.
 */
export function mixture(ingredients: readonly MixturePart[], { seed = defaultSeed } = {}): ReplayBufferMaker {
  if (ingredients.length === 0) fail("mixture", "got no parts. Pass at least one.");
  return (steps, batch) => {
    const parts = ingredients.map(({ of }) => (typeof of === "function" ? of(steps, batch) : of));
    return new Mixture(parts, ingredients, batch, seed);
  };
}

class Mixture implements ReplayBuffer {
  readonly columns: Columns;
  readonly capacity: number;
  readonly bytes: number;
  readonly size = scalar(0, "i32");
  private readonly parts: readonly Experience[];
  private readonly shares: readonly (number | LiveValue)[];
  private readonly random;
  /** Offset of each part's entries. */
  private readonly offsets: readonly number[];
  /** Where each part's range of the minibatch begins, and where the last one ends. */
  private readonly bounds: Tensor;
  private readonly batch: number;
  private readonly errors: Tensor;

  constructor(
    parts: readonly Experience[],
    ingredients: readonly MixturePart[],
    batch: number,
    seed: number,
  ) {
    this.batch = batch;
    this.errors = tensor(new Float32Array(batch));
    this.parts = parts;
    this.shares = ingredients.map((i) => i.share);
    this.columns = Object.fromEntries(parts.map((p, i) => [`part${i}`, p.columns]));
    const names = parts.map((p) => Object.keys(p.columns).sort().join(", "));
    const other = names.find((n) => n !== names[0]);
    if (other)
      fail(
        "mixture",
        `its parts have different columns: ${names[0]} and ${other}. Give all parts the same columns.`,
      );
    checkShapes(parts);
    this.capacity = parts.reduce((n, p) => n + p.capacity, 0);
    this.bytes = parts.reduce((n, p) => n + p.bytes, 0);
    this.offsets = parts.map((_, i) => parts.slice(0, i).reduce((n, p) => n + p.capacity, 0));
    this.bounds = tensor(new Int32Array(parts.length + 1));
    this.random = defaultRng(stream(seed, "mixture"));
    this.recount();
  }

  private recount(): void {
    this.size.data[0] = this.parts.reduce((n, p) => n + p.size.data[0], 0);
  }

  add(steps: Batch): void {
    for (const part of this.parts) if (grows(part)) part.add(steps);
    this.recount();
  }

  sample(count: number, key: Tensor): { index: Tensor; weight?: Tensor } {
    if (this.batch !== count)
      fail("mixture", `makes minibatches of ${this.batch}, but ${count} were requested.`);
    const keys = random.splitKey(key, this.parts.length);
    const picked = this.parts.map((p, i) => p.sample(count, keys[i]));
    const weighted = picked.some((p) => p.weight);
    let index = add(picked[0].index, this.offsets[0]);
    let weight = picked[0].weight ?? ones([count]);
    for (let i = 1; i < picked.length; i++) {
      const here = ge(iota([count]), this.bounds.slice([[i, i + 1]]));
      index = where(here, add(picked[i].index, this.offsets[i]), index);
      weight = where(here, picked[i].weight ?? ones([count]), weight);
    }
    return weighted ? { index, weight } : { index };
  }

  gather(columns: Columns, index: Tensor): Columns {
    const own = (i: number) => {
      const rows = sub(index, this.offsets[i]).clamp(0, this.parts[i].capacity - 1);
      const part = columns[`part${i}`] as Columns;
      return this.parts[i].gather?.(part, rows) ?? gatherRows(part, rows);
    };
    let chosen = own(0);
    for (let i = 1; i < this.parts.length; i++) {
      const here = ge(index, this.offsets[i]);
      const pick = (a: Tensor, b: Tensor) =>
        where(here.reshape([here.shape[0], ...a.shape.slice(1).map(() => 1)]), a, b);
      chosen = treeMap(pick, own(i), chosen);
    }
    return chosen as Columns;
  }

  prepare(): void {
    const { parts, shares, bounds } = this;
    const sizes = parts.map((p, i) => (p.size.data[0] > 0 ? shareOf(shares[i]) : 0));
    const total = sizes.reduce((a, b) => a + b, 0);
    if (!(total > 0))
      fail("mixture", "no part with a share above 0 has entries. Add entries or raise a share.");
    // One random number shifts all borders: each part's count is right on average, and always within one.
    const shift = this.random.random();
    let sum = 0;
    for (let i = 0; i < parts.length; i++) {
      bounds.data[i] = i === 0 ? 0 : Math.floor((sum / total) * this.batch + shift);
      sum += sizes[i];
      if (sizes[i] > 0) parts[i].prepare?.();
    }
    bounds.data[parts.length] = this.batch;
  }

  updatePriorities(errors: Tensor): void {
    const { parts, bounds } = this;
    const own = this.errors;
    for (let i = 0; i < parts.length; i++) {
      if (!parts[i].updatePriorities) continue;
      own.data.fill(Number.NaN);
      for (let k = bounds.data[i]; k < bounds.data[i + 1]; k++) own.data[k] = errors.data[k];
      parts[i].updatePriorities!(own);
    }
  }

  interrupt(): void {
    for (const part of this.parts) if (grows(part)) part.interrupt();
  }

  save(): Snapshot {
    return { parts: this.parts.map((p) => p.save()), random: this.random.save() };
  }

  restore(from: Snapshot): void {
    const s = from as { parts: readonly Snapshot[]; random: Uint32Array };
    this.parts.forEach((p, i) => p.restore(s.parts[i]));
    this.random.restore(s.random);
    this.recount();
  }
}

/** Entries of all parts must have the same shapes, or they would be broadcast against each other. */
function checkShapes(parts: readonly Experience[]): void {
  const shapes = (columns: Columns) =>
    Object.fromEntries(
      Object.entries(columns).map(([n, x]) => [
        n,
        leaves(x)
          .map((t) => `[${t.shape.slice(1)}]`)
          .join(" "),
      ]),
    );
  const first = shapes(parts[0].columns);
  for (const { columns } of parts)
    for (const [name, shape] of Object.entries(shapes(columns)))
      if (shape !== first[name])
        fail(
          "mixture",
          `column \`${name}\` has entries of shape ${first[name]} in one part and ${shape} in another. They must be equal.`,
        );
}

const read = (x: number | LiveValue) => (typeof x === "number" ? x : x.value);

/** The current share of a part. */
function shareOf(share: number | LiveValue): number {
  const now = read(share);
  if (!(now >= 0 && now < Number.POSITIVE_INFINITY))
    fail("mixture", `a share is ${now}; it must be a number from 0.`);
  return now;
}

const grows = (part: Experience): part is ReplayBuffer => "add" in part;
