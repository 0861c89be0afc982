import type { JudgedEpisode } from "@reins/core";
import {
  characters,
  conversationVerdict,
  expertConversation,
  newModel,
  sampleProblem,
  type TextTask,
} from "@reins/language";
import { random } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { alternateRoles } from "./alternate-roles.ts";
import { type Expression, orders } from "./orders.ts";

/** The conversation with these turns. */
async function said(task: TextTask, prompt: string, value: number, texts: readonly string[]) {
  const tokenizer = characters(task.alphabet);
  const start = newModel(
    { layers: 1, width: 8, heads: 2, context: 32, vocabulary: tokenizer.size },
    random.key(0),
  );
  const problem = { prompt, answer: `${value}`, data: { value, shown: "a" }, level: 1 };
  const players = { expert: (_: unknown, { turns }: { turns: number }) => texts[turns] };
  const { result, others } = await expertConversation(
    { task: { ...task, episode: { ...task.episode, players } }, level: 1, start, tokenizer },
    problem,
    1,
  );
  return { result, others, ...(await conversationVerdict(task, result)) };
}

describe("orders", () => {
  const two = orders({ way: "solver" });
  const one = orders({ way: "planned" });

  it.each([two, one])("ask one operation after the other, in the order of the plan", async (task) => {
    // 2 + 3 · 3 = 11, which is 3 modulo 4.
    const right = await said(task, "2+3*3=", 3, ["b", "1", "3"]);
    expect(right).toMatchObject({ score: 1, terms: { planned: 1, followed: 1 } });
    const heard = right.result.messages.filter((m) => m.role === "user").map((m) => m.content);
    expect(heard).toEqual(["2+3*3=", "3*3=", "1+2="]);
    // From the left it would be 15, also 3 modulo 4: a wrong plan may be lucky, and an error propagates.
    expect(await said(task, "2+3*3=", 3, ["a", "1", "3"])).toMatchObject({
      score: 1,
      terms: { planned: 0, followed: 1 },
    });
    expect(await said(task, "2+3*3=", 3, ["b", "2", "0"])).toMatchObject({
      score: 0,
      terms: { planned: 1, followed: 0.5 },
    });
    // An invalid plan or number ends it.
    expect(await said(task, "2+3*3=", 3, ["c"])).toMatchObject({ score: 0, terms: { planned: 0 } });
    expect((await said(task, "2+3*3=", 3, ["b", "b"])).result.messages).toHaveLength(4);
  });

  it("give planner and solver the same score, each with its own view", async () => {
    const { others } = await said(two, "1+2*3+1=", 0, ["b", "2", "3", "0"]);
    expect(others).toHaveLength(1);
    expect((await conversationVerdict(two, others![0].result)).reward).toBe(1);
    expect((await said(one, "1+2*3+1=", 0, ["b", "2", "3", "0"])).others).toBeUndefined();
  });

  it("have the value of the usual order, and a direct answer", () => {
    const once = orders({ way: "at once" });
    let alike = 0;
    for (let i = 0; i < 200; i++) {
      const problem = sampleProblem(once, 1 + (i % 2), "test", i);
      const { value } = problem.data as Expression;
      const terms = problem.prompt.slice(0, -1).split("+");
      const products = terms.map((t) => t.split("*").reduce((all, n) => all * Number(n), 1));
      expect(value).toBe(products.reduce((a, b) => a + b) % 4);
      expect(once.verify(problem, `${value}`)).toMatchObject({ score: 1 });
      expect(once.verify(problem, "")).toMatchObject({ score: 0 });
      if (problem.answer === `${value}`) alike++;
    }
    // The teacher is careless.
    expect(alike).toBeGreaterThan(100);
    expect(alike).toBeLessThan(180);
  });
});

it("alternate between training the episodes of one role and of the next", () => {
  const episode = (role?: string) =>
    ({ episode: { answered: { rewards: [], role } } }) as unknown as JudgedEpisode;
  const all = [episode(), episode("solver"), episode("solver")];
  const turns = alternateRoles(["model", "solver"], 2);
  const counts = () => Array.from({ length: 3 }, () => turns.select(all)!.length);
  expect(counts()).toEqual([1, 1, 2]);
  const saved = turns.save!();
  expect(counts()).toEqual([2, 1, 1]);
  turns.restore!(saved);
  expect(counts()).toEqual([2, 1, 1]);
});
