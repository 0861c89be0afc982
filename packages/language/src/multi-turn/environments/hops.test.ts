import { describe, expect, it } from "vitest";
import { episodeOf } from "../../tasks/episode.ts";
import type { TextTask } from "../../tasks/text-task.ts";
import { hops, hopsWith } from "./hops.ts";
import { checkMultiTurnTask, scoreOf } from "./testing.ts";
import { saying } from "./testing-conversations.ts";

const facts = {
  ...{ ba: "ne", be: "na", bi: "ma", bo: "no", da: "no", de: "ma", di: "mi", do: "ma" },
  ...{ ma: "de", me: "bo", mi: "bo", mo: "da", na: "be", ne: "do", ni: "di", no: "ba" },
};
const problem = {
  prompt: "ba.tb?",
  answer: "do",
  data: { path: ["ba", "ne", "do"], facts, rumours: { ne: "da" }, noisy: true },
  level: 3,
};

describe("hops", () => {
  it("meets the requirements of every environment", () => checkMultiTurnTask(hops, { most: 0.2 }));

  it("returns facts, rumours and distractors of a name", async () => {
    const turns = ["find(ba)", "find(ne)", "find(to)", "do"];
    const { heard, verdict } = await saying(hops, problem, turns);
    expect(heard).toEqual(["ba.t=ne no.b=ba", "ba.t=ne ne.b=da? ne.b=do", "-"]);
    expect(verdict).toMatchObject({ score: 1, reward: 1 });
  });

  it("scores a rumour as wrong, and treats a malformed search as an answer", async () => {
    for (const last of ["da", "fin(ne)", ""]) {
      const { verdict } = await saying(hops, problem, ["find(ba)", last]);
      expect(verdict).toMatchObject({ score: 0, wellFormed: last === "da" });
    }
  });

  it("has optional search costs, with an expert that does not search for memorised facts", async () => {
    const priced = hopsWith({ price: 0.1 });
    const { verdict } = await saying(priced, problem, ["find(ba)", "find(ne)", "do"]);
    expect(verdict.reward).toBeCloseTo(0.8);
    const call = { id: "0", name: "find", arguments: { name: "ba" } };
    const after = { role: "assistant" as const, content: "find(ba)", calls: [call] };
    const written = (task: TextTask) =>
      [[], [after]].map((messages) =>
        episodeOf(task).players.expert(
          problem,
          { state: undefined as never, messages, turns: 0 },
          undefined as never,
        ),
      );
    expect(written(hops)).toEqual(["find(ba)", "find(ne)"]);
    expect(written(priced)).toEqual(["find(ne)", "find(ne)"]);
    expect(() => hopsWith({ price: -1 })).toThrow(
      "hops: price is -1; it must be a finite number of at least 0.",
    );
  });

  it("is not won without searching", async () => {
    for (let level = 1; level <= hops.levels; level++)
      expect(await scoreOf(hops, "fixed", level)).toBeLessThan(0.55);
  });
});
