import { readSync, writeSync } from "node:fs";
import { type EnvContext, fail, type Space, type VectorEnv } from "@reins/core";
import { columns } from "@reins/core/spaces";
import type { Tensor, Tree, TypedArray } from "@reins/tensor";
import { arrayOver, bytesEach, copyNumbers } from "./mirror.ts";

/** Message kinds, as in `reins_gymnasium.py`. */
const asked = { reset: 0, step: 1, render: 2 } as const;
const said = { done: 0, text: 1, failure: 2 } as const;
const header = 8;
/** A reward, and the two end flags. */
const resultBytes = 16;

interface Placed {
  readonly path: readonly (string | number)[];
  readonly tensor: Tensor;
  readonly at: number;
}

/** The columns of one row, each aligned to 8 bytes. */
function placed(tree: Tree, path: readonly (string | number)[], found: Placed[]): Placed[] {
  if (isTensor(tree)) {
    const before = found.at(-1);
    const at = before
      ? before.at + Math.ceil((before.tensor.size * bytesEach(before.tensor.dtype)) / 8) * 8
      : 0;
    found.push({ path, tensor: tree, at });
  } else if (Array.isArray(tree)) for (const [i, part] of tree.entries()) placed(part, [...path, i], found);
  else
    for (const [name, part] of Object.entries(tree as { readonly [name: string]: Tree }))
      placed(part, [...path, name], found);
  return found;
}

const isTensor = (tree: Tree): tree is Tensor => tree !== null && typeof tree === "object" && "dtype" in tree;

/** A message that holds a row of columns, and its layout. */
class Page {
  readonly bytes: Uint8Array;
  readonly layout: object;
  private readonly arrays: readonly { readonly tensor: Tensor; readonly numbers: TypedArray }[];

  constructor(tree: Tree, before: number) {
    const found = placed(tree, [], []);
    const end = Math.max(0, ...found.map(({ at, tensor }) => at + tensor.size * bytesEach(tensor.dtype)));
    this.bytes = new Uint8Array(before + end);
    this.layout = {
      bytes: end,
      columns: found.map(({ path, tensor, at }) => ({
        path,
        at,
        count: tensor.size,
        dtype: { f32: "<f4", i32: "<i4" }[tensor.dtype as string] ?? "u1",
      })),
    };
    this.arrays = found.map(({ tensor, at }) => ({
      tensor,
      numbers: arrayOver(tensor.dtype, this.bytes.buffer, before + at, tensor.size),
    }));
  }

  write(): void {
    for (const { tensor, numbers } of this.arrays) copyNumbers(tensor.data, numbers);
  }

  read(): void {
    for (const { tensor, numbers } of this.arrays) copyNumbers(numbers, tensor.data);
  }
}

/**
 * Runs one copy of an environment for another program, with requests through `input` and replies through `output`,
 * until the input ends. `reins_gymnasium.py` is the other side.
 */
export function serveEnv(env: VectorEnv, input: number, output: number): void {
  if (env.rows !== 1 || env.spec.rewards || env.spec.agents)
    fail(env.spec.id, "Gymnasium supports one agent with a scalar reward. Choose another environment.");
  const action = columns(env.spec.action, 1);
  const seen = new Page(env.observation, header + resultBytes);
  const last = new Page(env.final, header + resultBytes);
  const acted = new Page(action, header);
  const say = (kind: number, bytes: Uint8Array) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    view.setUint32(0, kind, true);
    view.setUint32(4, bytes.length - header, true);
    for (let sent = 0; sent < bytes.length; ) sent += writeSync(output, bytes, sent);
  };
  const sayText = (kind: number, text: string) =>
    say(kind, Uint8Array.from(Buffer.concat([Buffer.alloc(header), Buffer.from(text)])));
  const { id, observation, action: acts } = env.spec;
  sayText(
    said.text,
    JSON.stringify({
      id,
      observation: plain(observation),
      action: plain(acts),
      layouts: { observation: seen.layout, action: acted.layout },
    }),
  );

  const show = (page: Page, reward: number) => {
    page.write();
    const view = new DataView(page.bytes.buffer);
    view.setFloat64(header, reward, true);
    view.setUint32(header + 8, env.terminated.data[0], true);
    view.setUint32(header + 12, env.truncated.data[0], true);
    say(said.done, page.bytes);
  };
  // The step that ends an episode has already reset: a reset without a seed returns that observation.
  let ready = false;
  const answer = (kind: number, payload: Uint8Array) => {
    if (kind === asked.reset) {
      const given = JSON.parse(Buffer.from(payload).toString()) as { seed?: number; context?: EnvContext };
      if (!ready || Object.keys(given).length) env.reset(given);
      ready = false;
      for (const flag of [env.terminated, env.truncated]) flag.data.fill(0);
      show(seen, 0);
    } else if (kind === asked.step) {
      if (ready) fail(id, "step() was called after the episode's end. Call reset() first.");
      acted.bytes.set(payload, header);
      acted.read();
      env.step(action);
      ready = env.terminated.data[0] !== 0 || env.truncated.data[0] !== 0;
      show(ready ? last : seen, env.reward.data[0]);
    } else sayText(said.text, env.render?.(0) ?? "");
  };

  const head = Buffer.alloc(header);
  while (fill(input, head)) {
    const payload = new Uint8Array(head.readUInt32LE(4));
    if (!fill(input, payload)) break;
    try {
      answer(head.readUInt32LE(0), payload);
    } catch (error) {
      sayText(said.failure, error instanceof Error ? error.message : String(error));
    }
  }
  env.close?.();
}

/** Reads until the bytes are complete; false if the input ended. */
function fill(input: number, bytes: Uint8Array): boolean {
  for (let got = 0; got < bytes.length; ) {
    const more = readSync(input, bytes, got, bytes.length - got, null);
    if (more === 0) return false;
    got += more;
  }
  return true;
}

/** A space whose infinities are strings, for JSON. */
const plain = (space: Space): unknown =>
  JSON.parse(JSON.stringify(space, (_, x) => (x === Infinity ? "inf" : x === -Infinity ? "-inf" : x)));
