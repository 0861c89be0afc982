import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type DatasetLine, dataset } from "./dataset.ts";
import { lastNumber } from "./judge.ts";
import { sampleProblem } from "./sample-problem.ts";

const sums = Array.from({ length: 40 }, (_, i) => ({ prompt: `${i}+1=`, answer: `${i + 1}` }));

function file(text: string | Uint8Array): string {
  const path = mkdtempSync(join(tmpdir(), "reins-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  writeFileSync(join(path, "sums.jsonl"), text);
  return join(path, "sums.jsonl");
}

describe("a dataset", () => {
  it("is read from a JSON Lines file, and named after it", () => {
    const path = file(`\uFEFF${sums.map((line) => JSON.stringify(line)).join("\r\n")}\n\n`);
    const { id, file: from, alphabet, longest, listed } = dataset(path);
    expect([id, from, alphabet, longest]).toEqual(["sums", path, "+0123456789=", { prompt: 5, answer: 2 }]);
    expect([listed.train.length, listed.test.length]).toEqual([36, 4]);
  });

  it("has no prompt in both splits, and the same splits in any order of lines", () => {
    const twice = dataset([...sums, ...sums].reverse(), { test: 0.25 }).listed;
    const prompts = (side: readonly { prompt: string }[]) => new Set(side.map((p) => p.prompt));
    const [train, test] = [prompts(twice.train), prompts(twice.test)];
    expect([train.size, test.size, twice.test.length]).toEqual([30, 10, 20]);
    expect([...train].filter((p) => test.has(p))).toEqual([]);
    expect(prompts(dataset(sums, { test: 0.25 }).listed.test)).toEqual(test);
  });

  it("takes the splits of its lines, and may hold out nothing", () => {
    const sides = ["train", "validation", undefined, "test"];
    const own = dataset(sides.map((split, i) => ({ ...sums[i], split }))).listed;
    expect(own.test.map((p) => p.prompt)).toEqual(["1+1=", "3+1="]);
    const all = dataset(sums, { test: 0 });
    expect(all.listed.test).toEqual(all.listed.train);
    expect(sampleProblem(all, 1, "test", 41).prompt).toBe("1+1=");
  });

  it("reads prompts, turns and conversations", () => {
    const user = { role: "user", content: "2+2?" } as const;
    const said = { role: "assistant", content: "It is 4." } as const;
    const more = { role: "user", content: "Sure?" } as const;
    const problemOf = (line: DatasetLine) => dataset([line], { judge: () => 0 }).listed.train[0];
    expect(problemOf({ prompt: [user], completion: [said] })).toMatchObject({
      prompt: "2+2?",
      messages: [user],
      answer: "It is 4.",
    });
    expect(problemOf({ prompt: [user, said, more], answer: "Yes." }).taught).toBeUndefined();
    expect(problemOf({ messages: [user, said, more, { ...said, content: "Yes." }] })).toMatchObject({
      prompt: "user: 2+2?\nassistant: It is 4.\nuser: Sure?\nassistant: ",
      messages: [user, said, more],
      taught: true,
      answer: "Yes.",
    });
    expect(problemOf({ messages: [user], answer: 4 }).answer).toBe("4");
    const { alphabet, longest } = dataset([{ messages: [user, said] }]);
    expect([..."user: 2+2?\nassistant: It is 4."].filter((c) => !alphabet.includes(c))).toEqual([]);
    expect(longest.prompt).toBe("user: 2+2?\nassistant: ".length);
  });

  it("counts held-out prompts that its lines put into both splits", () => {
    const line = (prompt: string, split: string) => ({ prompt, answer: "1", split });
    expect(
      dataset([line("a", "train"), line("a", "test"), line("a", "test"), line("b", "test")]).leaked,
    ).toBe(1);
    expect(dataset([line("a", "train"), line("b", "test")]).leaked).toBe(0);
    expect(dataset([line("a", "train"), line("a", "train")]).leaked).toBe(0);
  });

  it("reads texts without prompts, split by their text", () => {
    const texts = Array.from({ length: 40 }, (_, i) => ({ text: `Text ${i}.` }));
    const { listed, longest } = dataset([...texts, ...texts], { judge: "number" });
    expect([listed.train.length, listed.test.length, longest]).toEqual([72, 8, { prompt: 0, answer: 8 }]);
    const said = (side: typeof listed.train) => new Set(side.map((p) => p.answer));
    expect([...said(listed.train)].filter((t) => said(listed.test).has(t))).toEqual([]);
    expect(listed.train[0]).toMatchObject({ prompt: "", alone: true });
    expect(dataset([{ prompt: "?", text: "beside", answer: "!" }]).listed.train[0]).toMatchObject({
      prompt: "?",
      answer: "!",
    });
  });

  it("reads preferences in all their forms", () => {
    const [question, good, bad] = [
      { role: "user", content: "2+2?" },
      { role: "assistant", content: "4" },
      { role: "assistant", content: "5" },
    ] as const;
    const problemOf = (line: DatasetLine) => dataset([line]).listed.train[0];
    const asked = { messages: [question], prompt: "2+2?", answer: "4", preferred: true };
    expect(problemOf({ prompt: "2+2?", chosen: "4", rejected: "5" })).toMatchObject({
      prompt: "2+2?",
      answer: "4",
      preferred: true,
      data: { rejected: "5" },
    });
    expect(problemOf({ prompt: [question], chosen: [good], rejected: [bad] })).toMatchObject(asked);
    const whole = problemOf({ chosen: [question, good], rejected: [question, bad] });
    expect(whole).toMatchObject(asked);
    expect(whole.taught).toBeUndefined();
    expect(problemOf({ chosen: "It is 4.", rejected: "It is 5." })).toMatchObject({
      prompt: "",
      alone: true,
      preferred: true,
      answer: "It is 4.",
    });
    // With its own answer it is an ordinary problem.
    expect(problemOf({ prompt: "2+2?", answer: "4", chosen: "4", rejected: "5" }).preferred).toBeUndefined();
  });

  it("refuses completions that are labelled undesirable, which would be imitated", () => {
    const turns = [
      { role: "user", content: "2+2?" },
      { role: "assistant", content: "5" },
    ] as const;
    const all = (line: object) =>
      dataset([{ prompt: "1+1=", completion: "2", label: true }, line as DatasetLine]);
    for (const line of [{ prompt: "2+2?", completion: "5" }, { messages: turns }]) {
      expect(() => all({ ...line, label: false })).toThrow("line 2: its label is false");
      expect(() => all({ ...line, label: 0 })).toThrow("Train on labels by kto");
      expect(() => all({ ...line, label: true })).not.toThrow();
    }
    // Another meaning: a field for judges.
    expect(() => all({ prompt: "Is 7 even?", answer: "no", label: false })).not.toThrow();
  });

  it("names the invalid line and the reason", () => {
    const wrong = (line: object, options = {}) => dataset([sums[0], line as DatasetLine], options);
    expect(() => dataset("nowhere.jsonl")).toThrow("nowhere.jsonl: the file does not exist");
    expect(() => dataset(file('{"prompt": "1"}\n{"prom'))).toThrow("line 2: invalid JSON");
    expect(() => dataset(file('\n\r\n{"prompt": 1}'))).toThrow("line 3: prompt is 1");
    expect(() => dataset([])).toThrow("the dataset is empty");
    expect(() => wrong({ question: "?" })).toThrow(
      "line 2: the line has no prompt, messages, text or chosen; it has question",
    );
    expect(() => wrong({ prompt: "?" })).toThrow("line 2: the line has no answer to compare with");
    expect(() => wrong({ prompt: "?", answer: "x" }, { judge: "number" })).toThrow("contains no number");
    const parts = ["3/4", "\\boxed{\\frac{3}{4}}", "10^3", "10^{-3}", "at 12:30.", "1 1/2 cups"];
    for (const answer of [...parts, "25 cm^2", "2\\sqrt{3}", "2√3", "3 + 2i", "(a + b)/2", "3 × 10"])
      expect(() => wrong({ prompt: "?", answer }, { judge: "number" })).toThrow("is not one number");
    for (const answer of ["6/2 = 3", "Step 2: 60", "60 km/h", "3/4 of 8 is 6", "-1,234.5", "x=-2"])
      expect(() => wrong({ prompt: "?", answer }, { judge: "number" })).not.toThrow();
    expect(() => wrong({ messages: [{ role: "bot", content: "" }] })).toThrow('the role of a turn is "bot"');
    expect(() => wrong({ prompt: "?", answer: "1", split: "holdout" })).toThrow('must be "train" or "test"');
    expect(() => dataset(file(Buffer.from('{"prompt": "caf\u00e9", "answer": "1"}', "latin1")))).toThrow(
      "sums.jsonl: the file is not valid UTF-8. Convert it to UTF-8.",
    );
    expect(() => dataset(file('{"prompt": "?", "answer": 12345678901234567890}'))).toThrow(
      "line 1: the answer is a number above 2^53, which loses digits. Write it as a string.",
    );
    const asking = { role: "user", content: "Weather?" };
    const calling = { role: "assistant", content: "", tool_calls: [{ function: { name: "weather" } }] };
    expect(() => wrong({ messages: [asking, calling] })).toThrow(
      "line 2: a turn with role assistant has tool_calls, which is not supported. Write it into content",
    );
    expect(() => wrong({ messages: [asking, { ...calling, content: "4", tool_calls: null }] })).not.toThrow();
    const unlearned = { role: "assistant", content: "3", weight: 0 };
    expect(() => wrong({ messages: [asking, unlearned, asking, { ...unlearned, weight: 1 }] })).toThrow(
      "line 2: an assistant turn has weight 0, which is not supported",
    );
    const answered = { messages: [asking, { role: "assistant", content: "4" }] };
    for (const tools of [[{ type: "function" }], '[{"type": "function"}]'])
      expect(() => wrong({ ...answered, tools })).toThrow(
        "line 2: the line has tools, which are not rendered",
      );
    for (const tools of [[], null, "[]"]) expect(() => wrong({ ...answered, tools })).not.toThrow();
    const deep = `${"[".repeat(1e5)}${"]".repeat(1e5)}`;
    expect(() => dataset(file(`\n{"prompt": "?", "answer": "1", "data": ${deep}}`))).toThrow(
      "line 2: the line is nested more than 1000 levels deep",
    );
    expect(() => wrong({ prompt: "?", answer: "1", data: JSON.parse(deep) })).toThrow("levels deep");
    expect(() => wrong({ text: "" })).toThrow('line 2: text is ""; it must be a non-empty string');
    expect(() => wrong({ rejected: "5" })).toThrow(
      "line 2: the line has a rejected answer but no chosen one",
    );
    expect(() => wrong({ chosen: [{ role: "assistant", content: "4" }] })).toThrow("begin with a prompt");
    expect(() => wrong({ prompt: "?", chosen: [{ role: "user", content: "4" }] })).toThrow(
      "chosen must be one assistant turn",
    );
    expect(() => dataset(sums, { test: 1 })).toThrow("at least 0 and below 1");
    expect(() => dataset(sums, { judge: "close" as never })).toThrow('Use "exact", "number" or a function');
  });
});

describe("its judges", () => {
  const judgedBy = async (
    judge: Parameters<typeof dataset>[1],
    answer: string,
    line: DatasetLine = sums[6],
  ) => {
    const own = dataset([line], judge);
    return own.verify(own.listed.train[0], answer);
  };

  it("compare texts, or their last numbers", async () => {
    expect(await judgedBy({}, " 7\n")).toEqual({ score: 1 });
    expect(await judgedBy({}, "it is 7")).toMatchObject({ score: 0, why: "It is 7." });
    expect(await judgedBy({ judge: "number" }, "6 and 1 make 7.0")).toMatchObject({
      score: 1,
      wellFormed: true,
    });
    expect(await judgedBy({ judge: "number" }, "seven")).toMatchObject({ score: 0, wellFormed: false });
    const worked = { prompt: "?", answer: "3 × 400 is #### 1,200" };
    expect(await judgedBy({ judge: "number" }, "So 1200.", worked)).toMatchObject({ score: 1 });
    expect(["-3.5e2 m", "1,234.5", "none", "12,5"].map(lastNumber)).toEqual([-350, 1234.5, undefined, 5]);
    expect([".5", "-.25", "\u22127", "9-5", "1.2.3", "wait...5"].map(lastNumber)).toEqual([
      0.5, -0.25, -7, 5, 3, 5,
    ]);
  });

  it("give nothing for a number that is only a part of the answer's value", async () => {
    const wrong = ["1/7", "\\frac{1}{7}", "10^7", "x^{-7}", "12:07", "\\sqrt{7}", "6 + 7", "2 * 7"];
    for (const answer of wrong) expect((await judgedBy({ judge: "number" }, answer)).score, answer).toBe(0);
    for (const answer of ["14/2 = 7", "\\boxed{7}", "x = 7", "Step 2: 7", "$7$", "3 + 4 = 7"])
      expect((await judgedBy({ judge: "number" }, answer)).score, answer).toBe(1);
    // Both are infinite as doubles.
    const large = { prompt: "?", answer: "1e400" };
    expect((await judgedBy({ judge: "number" }, "1e500", large)).score).toBe(0);
    expect((await judgedBy({ judge: "number" }, "1e400", large)).score).toBe(1);
  });

  it("compare large integers digit by digit", async () => {
    const line = { prompt: "?", answer: "12345678901234567890" };
    const score = async (answer: string) => (await judgedBy({ judge: "number" }, answer, line)).score;
    expect(await score("12345678901234567891")).toBe(0);
    expect(await score("It is 12,345,678,901,234,567,890.")).toBe(1);
    expect(await score("0012345678901234567890")).toBe(1);
  });

  it("compare with the line's own answer where a conversation ends in other words", async () => {
    const messages = [
      { role: "user", content: "6+1?" },
      { role: "assistant", content: "It is 7, of course." },
    ] as const;
    expect(await judgedBy({}, "7", { messages, answer: 7 })).toEqual({ score: 1 });
  });

  it("may be custom: a reward, or its terms", async () => {
    const own = {
      judge: (answer: string, { data }: { data: unknown }) => answer.length - (data as { most: number }).most,
    };
    expect(await judgedBy(own, "four", { prompt: "?", most: 1 })).toEqual({ score: 3 });
    const terms = { judge: () => ({ terms: { right: 1, brief: -0.25 } }) };
    expect(await judgedBy(terms, "")).toMatchObject({ score: 0.75, terms: { right: 1, brief: -0.25 } });
  });

  it("refuse results without a reward, which would count as 0", async () => {
    for (const [text, said] of [["[1,1]"], ['{"score":1}'], ["true"], ["null"]].map(([t]) => [
      t,
      JSON.parse(t),
    ]))
      await expect(judgedBy({ judge: () => said }, "7")).rejects.toThrow(
        `dataset: the judge returned ${text}. Return the reward of one answer: a number, or { reward } or { terms }.`,
      );
  });
});
