import { defaultRng } from "@reins/core/random";
import { describe, expect, it } from "vitest";
import { episodeOf } from "../../tasks/episode.ts";
import type { Problem } from "../../tasks/text-task.ts";
import { adventure } from "./adventure.ts";
import { type House, needed } from "./adventure-house.ts";
import { checkMultiTurnTask, playedBy, scoreOf } from "./testing.ts";

const { verify, make } = adventure;
const { begin, turn, players } = episodeOf(adventure);

/** Rooms A, B and C in a row; D is under B, with the key. The gold is in C, behind the door. */
const house: House = {
  names: "ABC D    ",
  ways: ["e", "esw", "w", "", "n", "", "", "", ""],
  doors: [{ room: 2, way: "w" }],
  keys: [4],
  gold: 2,
  start: 0,
  most: 10,
};
const problem: Problem<House> = { prompt: "A:e", answer: "e", level: 1, data: house };
const play = (commands: readonly string[], data = house) => {
  const state = begin!({ ...problem, data }, defaultRng(0)) as never;
  const said = commands.map((content) => turn!(state, { role: "assistant", content }, defaultRng(0)));
  return { state, said, verdict: verify(problem, "", { state, messages: [], turns: said.length }) };
};
const words = (...texts: string[]) => texts.map((say) => ({ say }));

describe("adventure", () => {
  it("meets the requirements of every environment", () => checkMultiTurnTask(adventure, { most: 0.25 }));

  it("describes room by room, and is won by the gold", () => {
    const way = ["e", "s", "take", "n", "open", "e", "take"];
    const { said, verdict } = play(way);
    expect(said).toEqual([...words("B:e1sw", "D:n k1", "ok", "B:e1sw", "ok", "C:w g"), { done: true }]);
    expect(verdict).toEqual({ score: 1 });
  });

  it("rejects impossible commands without moving", () => {
    const { said, verdict } = play(["n", "take", "go e", "e", "open", "go", "", "look"]);
    expect(said).toEqual(words("no", "no", "B:e1sw", "shut", "no", "?", "?", "B:e1sw"));
    expect(verdict).toMatchObject({ score: 0 });
  });

  it("scores a quarter for the key, a half for the open door, and ends with its turns", () => {
    expect(play(["e", "s", "take", "take"])).toMatchObject({ verdict: { score: 0.25 } });
    expect(play(["e", "s", "take", "n", "open", "open"])).toMatchObject({ verdict: { score: 0.5 } });
    const { said, verdict } = play(Array(10).fill("look"));
    expect(said).toEqual([...words(...Array(9).fill("A:e")), { done: true }]);
    expect(verdict).toMatchObject({ score: 0 });
  });

  it("has an expert without hidden information: it explores every exit until it finds the key", () => {
    // The key is in E now, under A; D is empty.
    const twoEnds = {
      ...house,
      ways: ["es", "esw", "w", "n", "n", "", "", "", ""],
      names: "ABCED    ",
      keys: [3],
    };
    expect(needed(house)).toBe(7);
    const { state } = play([], twoEnds);
    const describeRoom: string[] = [];
    for (let i = 0; i < 6; i++) {
      describeRoom.push(players.expert(problem, { state, messages: [], turns: i }, defaultRng(0)));
      turn!(state, { role: "assistant", content: describeRoom[i] }, defaultRng(0));
    }
    expect(describeRoom).toEqual(["e", "s", "n", "w", "s", "take"]);
  });

  it("is shown as described", async () => {
    const { result } = await playedBy(adventure, "expert", { level: 1, index: 0 });
    const heard = result.messages.filter(({ role }) => role === "user").map(({ content }) => content);
    expect(heard).toEqual(["D:n1e", "G:w k1", "ok", "D:n1e", "ok", "E:es g"]);
  });

  it("has more rooms and doors at higher levels, none of them open at the start", () => {
    const houses = [1, 2, 3, 4].map((level) => make(defaultRng(level), level).data as House);
    expect(houses.map(({ names }) => names.replaceAll(" ", "").length)).toEqual([4, 6, 8, 8]);
    expect(houses.map(({ doors }) => doors.length)).toEqual([1, 1, 1, 2]);
    for (const drawn of houses)
      expect(needed({ ...drawn, keys: drawn.keys.map(() => -1) }), "without keys").toBeGreaterThan(
        drawn.most,
      );
  });

  it("rewards a memory", async () => {
    for (const level of [2, 4]) expect(await scoreOf(adventure, "fixed", level)).toBeLessThan(0.75);
  });
});
