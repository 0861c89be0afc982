import * as nn from "@reins/nn";
import { random, setBackend } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { LiveGenerator } from "./live.ts";
import type { Generated } from "./sequence.ts";
import type { Slot } from "./slot.ts";

setBackend("wasm");

const vocabulary = 12;
const model = nn.gpt({ vocabulary, width: 16, layers: 2, heads: 2, context: 128 });
const params = model.init(random.key(3));
const live = (rows = 4, more: object = {}) =>
  new LiveGenerator({ model, params, vocabulary, context: 128, end: 1, rows, ...more });
const prompt = (n: number, from = 2) => Array.from({ length: n }, (_, i) => 2 + ((from + i * i) % 9));
/** A constraint that leaves out the end token. */
const endless = (_: readonly number[], allowed: Uint8Array) => {
  allowed.fill(1).fill(0, 1, 2);
};
const numbers = ({ tokens, logProb }: Generated) => ({ tokens: [...tokens], logProb: [...logProb] });
const pause = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds));

/** Three turns, each of which prefills its new tokens. */
async function conversation(generator: LiveGenerator, seed: number, wait = () => Promise.resolve()) {
  const slot = await generator.slot();
  let text = prompt(5 + (seed % 7), seed);
  const turns: ReturnType<typeof numbers>[] = [];
  for (let turn = 0; turn < 3; turn++) {
    await wait();
    const said = await slot.write({ prompt: text, seed: 100 * seed + turn, limit: 9 });
    turns.push(numbers(said));
    text = [...text, ...said.tokens, ...prompt(3 + turn, seed + turn)];
  }
  slot.close();
  return turns;
}

describe("a live generator", () => {
  it("gives the same bits whatever else runs in the batch, and when", async () => {
    const alone: Awaited<ReturnType<typeof conversation>>[] = [];
    for (let seed = 0; seed < 9; seed++) alone.push(await conversation(live(), seed));
    const together = live();
    // More conversations than slots, each at its own pace.
    const all = await Promise.all(
      alone.map((_, seed) => conversation(together, seed, () => pause((seed * 7) % 5))),
    );
    expect(all).toEqual(alone);
    expect(together.vacant).toBe(4);
  });

  it("however long the other prompts are", async () => {
    const wide = nn.gpt({ vocabulary, width: 64, layers: 2, heads: 2, context: 128 });
    const of = () => live(4, { model: wide, params: wide.init(random.key(1)) });
    const asked = (length: number, i: number) => ({ prompt: prompt(length, i), seed: i, limit: 12 });
    const alone = async (length: number, i: number) =>
      numbers(await (await of().slot()).write(asked(length, i)));
    for (const length of [14, 17, 40, 70]) {
      const generator = of();
      const lanes = [await generator.slot(), await generator.slot(), await generator.slot()];
      const lengths = [9, length, length + 1];
      const all = await Promise.all(lanes.map((slot, i) => slot.write(asked(lengths[i], i))));
      for (const [i, one] of all.entries()) expect(numbers(one)).toEqual(await alone(lengths[i], i));
    }
  });

  it("keeps a text that fills the KV caches while others are generated", async () => {
    const first = { prompt: prompt(20), seed: 1, limit: 13, constraint: endless };
    const continued = async (generator: LiveGenerator, meanwhile: () => Promise<unknown>) => {
      const slot = await generator.slot();
      const other = meanwhile();
      const { tokens } = await slot.write(first);
      // 32 tokens are cached, as many as the caches hold.
      expect(tokens).toHaveLength(13);
      await other;
      return numbers(await slot.write({ prompt: [...first.prompt, ...tokens, 5, 6], seed: 2, limit: 9 }));
    };
    const alone = await continued(live(), () => Promise.resolve());
    const generator = live();
    const beside = async () =>
      (await generator.slot()).write({ prompt: prompt(5), seed: 3, limit: 24, constraint: endless });
    expect(await continued(generator, beside)).toEqual(alone);
  });

  it("prefills only the new tokens of each turn", async () => {
    const generator = live();
    const slot = await generator.slot();
    const first = prompt(20);
    const { tokens } = await slot.write({ prompt: first, seed: 1, limit: 6 });
    // The last token of a prompt is the input of the first step.
    expect(generator.read).toBe(19);
    await slot.write({ prompt: [...first, ...tokens, ...prompt(4)], seed: 2, limit: 3 });
    // The last sampled token has not been read yet.
    expect(generator.read).toBe(19 + 4);
    slot.close();
    // Another conversation with the same prefix reuses the prefilled tokens.
    const other = await generator.slot();
    await other.write({ prompt: [...first, 5, 5], seed: 3, limit: 1 });
    expect(generator.read).toBe(23 + 2);
  });

  it("reuses only prefilled tokens of others", async () => {
    const text = [...prompt(9), ...prompt(9, 4)];
    const alone = await (await live().slot()).write({ prompt: [...text, 3], seed: 5, limit: 9 });
    const generator = live();
    const slot = await generator.slot();
    // The same tokens, with the middle ones generated one by one.
    const forced = (tokens: readonly number[], allowed: Uint8Array) => {
      allowed[text[9 + tokens.length]] = 1;
    };
    await slot.write({ prompt: text.slice(0, 9), seed: 1, limit: 5, constraint: forced });
    await slot.write({ prompt: [...text, 2], seed: 1, limit: 1 });
    const other = await generator.slot();
    expect(numbers(await other.write({ prompt: [...text, 3], seed: 5, limit: 9 }))).toEqual(numbers(alone));
  });

  it("nor where two reach the same text at the same moment, one of which generated a part", async () => {
    const text = [...prompt(9), ...prompt(9, 4)];
    const forced = (tokens: readonly number[], allowed: Uint8Array) => {
      allowed[text[9 + tokens.length]] = 1;
    };
    const wrote = async (generator: LiveGenerator) => {
      const slot = await generator.slot();
      await slot.write({ prompt: text.slice(0, 9), seed: 1, limit: 5, constraint: forced });
      return slot;
    };
    const go = (slot: Slot) => slot.write({ prompt: [...text, 3], seed: 5, limit: 9 });
    const [one, other] = [live(), live()];
    const [writer, reader] = [await go(await wrote(one)), await go(await other.slot())];
    for (const first of ["writer", "reader"]) {
      const generator = live();
      const lanes = [await wrote(generator), await generator.slot()];
      if (first === "reader") lanes.reverse();
      const both = await Promise.all(lanes.map(go));
      if (first === "reader") both.reverse();
      expect(both.map(numbers)).toEqual([writer, reader].map(numbers));
      // Generated and prefilled tokens may differ in last bits: only the first eight, which were prefilled, are
      // reused.
      expect(generator.read).toBe(one.read + other.read - 8);
    }
  });

  it("lets texts join and leave, and reports each token", async () => {
    const generator = live();
    const [a, b] = [await generator.slot(), await generator.slot()];
    const seen: number[] = [];
    let joined: Promise<Generated> | undefined;
    const long = a.write(
      { prompt: [2, 3], seed: 1, limit: 30, constraint: (_, allowed) => allowed.fill(1, 2) },
      {
        onToken({ tokens }) {
          seen.push(tokens[tokens.length - 1]);
          if (tokens.length === 5) joined = b.write({ prompt: [4], seed: 2, limit: 2 });
        },
      },
    );
    const text = await long;
    expect(seen).toEqual(text.tokens);
    expect(text.tokens).toHaveLength(30);
    expect((await joined!).tokens.length).toBeLessThanOrEqual(2);
    // Both together took no more steps than the long one alone.
    expect(generator.tokens).toBe(30 + (await joined!).tokens.length);
  });

  it("reads the prompts of requests in consecutive steps together while many texts are active", async () => {
    const generator = live(20);
    const lanes: Slot[] = [];
    for (let i = 0; i < 20; i++) lanes.push(await generator.slot());
    const first: number[] = [];
    const late: Promise<Generated>[] = [];
    let steps = 0;
    const join = (i: number) =>
      late.push(
        lanes[i].write(
          { prompt: prompt(3, i), seed: i, limit: 2 },
          { onToken: ({ tokens }) => tokens.length === 1 && first.push(steps) },
        ),
      );
    const all = lanes.slice(0, 18).map((slot, i) => {
      const request = { prompt: prompt(4, i), seed: i, limit: 20 };
      const constraint = (_: readonly number[], allowed: Uint8Array) => allowed.fill(1, 2);
      const seen = () => {
        steps++;
        if (steps === 3) join(18);
        if (steps === 4) join(19);
      };
      return slot.write({ ...request, constraint }, i === 17 ? { onToken: seen } : {});
    });
    await Promise.all(all);
    await Promise.all(late);
    expect(first).toEqual([5, 5]);
  });

  it("keeps prefixes that two slots take from each other", async () => {
    const wide = nn.gpt({ vocabulary, width: 64, layers: 2, heads: 2, context: 128 });
    const of = () => live(2, { model: wide, params: wide.init(random.key(1)) });
    const [one, two] = [prompt(20, 1), prompt(20, 5)];
    const asked = (text: readonly number[], seed: number) => ({ prompt: [...text, 3, 4, 5], seed, limit: 6 });
    const generator = of();
    const [a, b] = [await generator.slot(), await generator.slot()];
    await Promise.all([
      a.write({ prompt: one, seed: 1, limit: 1 }),
      b.write({ prompt: two, seed: 2, limit: 1 }),
    ]);
    const before = generator.read;
    const swapped = await Promise.all([a.write(asked(two, 3)), b.write(asked(one, 4))]);
    // 19 tokens of each prompt are in the other slot's KV cache.
    expect(generator.read - before).toBe(2 * 3);
    const fresh = of();
    const [c, d] = [await fresh.slot(), await fresh.slot()];
    expect(swapped.map(numbers)).toEqual([
      numbers(await c.write(asked(two, 3))),
      numbers(await d.write(asked(one, 4))),
    ]);
  });

  it("forks a conversation: the prefix is shared, and nothing after it", async () => {
    const generator = live();
    const stem = await generator.slot();
    const first = await stem.write({ prompt: prompt(12), seed: 1, limit: 5 });
    const before = [...prompt(12), ...first.tokens];
    const read = generator.read;
    const twigs = await Promise.all([stem.fork(), stem.fork()]);
    const ends = await Promise.all(
      [stem, ...twigs].map((slot, i) => slot.write({ prompt: [...before, 7], seed: 50 + i, limit: 8 })),
    );
    // One new token each: the rest is in the slot's own cache.
    expect(generator.read).toBe(read + 3);
    // Each is what it would have been without the others.
    for (const [i, end] of ends.entries()) {
      const alone = await live().slot();
      await alone.write({ prompt: prompt(12), seed: 1, limit: 5 });
      expect(numbers(await alone.write({ prompt: [...before, 7], seed: 50 + i, limit: 8 }))).toEqual(
        numbers(end),
      );
    }
    expect(new Set(ends.map((e) => e.tokens.join())).size).toBeGreaterThan(1);
  });

  it("cancels aborted requests, and the others continue", async () => {
    const generator = live(2);
    const [a, b] = [await generator.slot(), await generator.slot()];
    const stop = new AbortController();
    const given = a.write(
      { prompt: [2], seed: 1, limit: 100 },
      { signal: stop.signal, onToken: () => stop.abort() },
    );
    const other = b.write({ prompt: [3], seed: 2, limit: 4 });
    await expect(given).rejects.toThrow("aborted");
    expect((await other).tokens.length).toBeGreaterThan(0);
    await expect(a.write({ prompt: [2], seed: 1, limit: 1 }, { signal: stop.signal })).rejects.toThrow(
      "aborted",
    );
    // Waiting callers get free slots in order.
    const waiting = [generator.slot(), generator.slot()];
    b.close();
    a.close();
    const lanes = await Promise.all(waiting);
    expect(lanes.map((l) => l.row)).toEqual([b.row, a.row]);
    await expect(a.write({ prompt: [2], seed: 1, limit: 1 })).rejects.toThrow("the slot is closed");
  });

  it("a text whose constraint fails is rejected alone", async () => {
    const generator = live();
    const [a, b] = [await generator.slot(), await generator.slot()];
    const nothing = a.write({ prompt: [2], seed: 1, limit: 3, constraint: () => {} });
    const fine = b.write({ prompt: [2], seed: 1, limit: 3 });
    await expect(nothing).rejects.toThrow("allows no token");
    expect((await fine).tokens.length).toBeGreaterThan(0);
    await expect(a.write({ prompt: [], seed: 1, limit: 3 })).rejects.toThrow("at least one token");
    await expect(a.write({ prompt: prompt(128), seed: 1, limit: 3 })).rejects.toThrow("context is 128");
    const two = [a.write({ prompt: [2], seed: 1, limit: 3 }), a.write({ prompt: [2], seed: 1, limit: 3 })];
    await expect(two[1]).rejects.toThrow("still generating");
    await two[0];
  });

  it("a text whose own stop or onToken throws is rejected alone", async () => {
    const generator = live(3);
    const slots = [await generator.slot(), await generator.slot(), await generator.slot()];
    const thrower = () => {
      throw new Error("mine");
    };
    const asked = { prompt: prompt(4), seed: 1, limit: 6, constraint: endless };
    const [stopped, told, other] = await Promise.allSettled([
      slots[0].write({ ...asked, stop: thrower }),
      slots[1].write(asked, { onToken: thrower }),
      slots[2].write(asked),
    ]);
    for (const one of [stopped, told])
      expect(one).toMatchObject({ status: "rejected", reason: { message: "mine" } });
    const alone = await live(1)
      .slot()
      .then((slot) => slot.write(asked));
    expect(other).toMatchObject({ status: "fulfilled", value: { tokens: alone.tokens } });
    // The slot of a failed text can be used again.
    expect(numbers(await slots[0].write(asked))).toEqual(numbers(alone));
  });

  it("ends at the end of the context", async () => {
    const slot = await live(2, { capacity: 32 }).slot();
    const text = await slot.write({
      prompt: prompt(20),
      seed: 1,
      limit: 100,
      constraint: (_, allowed) => allowed.fill(1, 2),
    });
    expect([text.ended, text.tokens.length]).toEqual(["limit", 12]);
  });
});
