import { defaultRng } from "@reins/core/random";
import { describe, expect, it } from "vitest";
import type { Problem } from "../../tasks/text-task.ts";
import { characters } from "../../tokenizers/characters.ts";
import { converse } from "../converse.ts";
import type { Conversation } from "../speaker.ts";
import { hostNetwork } from "./host-network.ts";
import type { Game, Network } from "./host-tools.ts";
import { checkMultiTurnTask, playedBy, scoreOf } from "./testing.ts";

const tokenizer = characters(hostNetwork.alphabet);

/** The password of c is on a, and that of b, where the flag is, on c; a second file of a is empty. */
const data: Network = {
  hosts: [
    { name: "a", user: "p", password: 11, files: { x: "-", y: "q22" } },
    { name: "b", user: "r", password: 33, files: { x: "=52" } },
    { name: "c", user: "q", password: 22, files: { x: "r33" } },
  ],
  way: ["c", "b"],
  flag: "52",
  most: 8,
};
const problem: Problem<Network> = { prompt: "a:xy bc", answer: "52", level: 1, data };

/** A conversation with these turns. */
function written(turns: readonly string[]): Promise<Conversation> {
  const left = [...turns];
  return converse(
    problem,
    async () => {
      const text = left.shift();
      if (text === undefined) return undefined;
      return {
        text,
        span: { by: "policy", tokens: [...tokenizer.encode(text), tokenizer.end] },
        ended: "end",
      };
    },
    { task: hostNetwork, tokenizer, seed: 0 },
  );
}
const answers = ({ result: { messages } }: Conversation) =>
  messages.filter(({ role }) => role === "tool").map(({ content }) => content);
const verdict = ({ result: { text, state, messages, rewards } }: Conversation) =>
  hostNetwork.verify(problem, text, { state: state as never, messages, turns: rewards.length });

describe("host-network", () => {
  it("meets the requirements of every environment", () => checkMultiTurnTask(hostNetwork, { most: 0.1 }));

  it("leads from file to host to file, up to the flag", async () => {
    const way = ["read(y)", "scan(c)", "login(c,22)", "read(x)", "login(b,33)", "read(x)", "52"];
    const held = await written(way);
    expect(answers(held)).toEqual(["q22", "q", "x", "r33", "x", "=52"]);
    expect(held.truncated).toBe(false);
    expect(verdict(held)).toEqual({ score: 1, wellFormed: true });
  });

  it("is locked by a wrong password; hosts entered before score up to a half", async () => {
    const held = await written(["login(c,22)", "login(b,22)", "read(x)", "scan(b)", "login(b,33)", "no"]);
    expect(answers(held)).toEqual(["x", "no", "no", "no", "no"]);
    expect(verdict(held)).toMatchObject({ score: 0.25, wellFormed: false, terms: { way: 0.5 } });
  });

  it("replies no to unknown hosts and files, and continues", async () => {
    const asked = [
      "scan(z)",
      "read(z)",
      "read(constructor)",
      "login(z,22)",
      "login(c)",
      "login(c,222)",
      "scan()",
    ];
    const held = await written([...asked, "read(x)"]);
    expect(answers(held)).toEqual([...asked.map(() => "no"), "-"]);
    expect((held.result.state as Game).shut).toBe(false);
  });

  it("answers at most the level's number of calls", async () => {
    const held = await written(Array(9).fill("scan(b)"));
    expect(answers(held)).toEqual([...Array(8).fill("r"), "no"]);
  });

  it("ends with any text that is not a call", async () => {
    for (const text of ["", "52x", "read(x", "ping(b)", "99"]) {
      const held = await written([text, "52"]);
      expect(held.result.text).toBe(text);
      expect(verdict(held)).toMatchObject({ score: 0, wellFormed: text === "99" });
    }
  });

  it("has an expert that scans before it logs in", async () => {
    const { result } = await playedBy(hostNetwork, "expert", { level: 1, index: 0 });
    const texts = result.messages.map(({ content }) => content);
    expect(texts).toEqual([
      ...["a:x bc", "read(x)", "t77", "scan(b)", "t", "login(b,77)", "x", "read(x)", "=23"],
      "23",
    ]);
  });

  it("has more hosts, files and logins at higher levels", () => {
    const drawn = [1, 2, 3, 4].map((level) => hostNetwork.make(defaultRng(level), level));
    expect(drawn.map(({ prompt }) => prompt)).toEqual(["a:x bc", "a:x bcd", "a:xy bcde", "a:xy bcdef"]);
    expect(drawn.map((p) => (p.data as Network).way.length)).toEqual([1, 2, 2, 3]);
  });

  it("does not reward guessing hosts", async () => {
    const guessed = [await scoreOf(hostNetwork, "fixed", 1), await scoreOf(hostNetwork, "fixed", 3)];
    expect(guessed[0]).toBeLessThan(0.7);
    expect(guessed[1]).toBeLessThan(0.3);
  });
});
