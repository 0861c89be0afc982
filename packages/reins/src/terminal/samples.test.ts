import { makers } from "@reins/core/episodes";
import { tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import type { Progress } from "../training/progress.ts";
import { samplesOf } from "../training/samples.ts";
import { Answers, answersHeight } from "./answers.ts";
import { inkFor, plainInk, widthOf } from "./ink.ts";
import { sampleLine } from "./samples.ts";
import { lineView, progressLine, trainingView } from "./training-view.ts";

/** A scored completion. */
const judged = (by: (typeof makers)[number], prompt: string, text: string, right: string, ended = "end") => ({
  episode: {
    columns: { by: tensor(Uint8Array.of(makers.indexOf(by)), { dtype: "u8" }) },
    answered: { problem: { prompt, answer: right }, text, ended },
  },
  verdict: { reward: 0 },
  reward: text === right ? 1 : 0,
});
const own = [
  judged("policy", "1+2=", "3", "3"),
  judged("policy", "1+2=", "4", "3"),
  judged("policy", "20+3=", "2", "23"),
  judged("policy", "20+3=", "23", "23"),
  judged("policy", "5-7=", "-222", "-2", "limit"),
  judged("environment", "5-7=", "0", "-2"),
];
const taught = own.map(({ episode: { answered } }) =>
  judged("teacher", answered.problem.prompt, answered.problem.answer, answered.problem.answer),
);
const metrics = { "reward/mean": 0.4, "length/mean": 1.6, "policy/entropy": 0.21, "return/mean": 0.4 };
const progress = (episodes: readonly unknown[], more: object = {}): Progress =>
  ({
    run: {
      options: { algorithm: { name: "grpo" }, env: { stage: {} } },
      process: { inspect: () => ({ episodes }) },
    },
    steps: 25_000,
    budget: 100_000,
    episodes: 312,
    return: 0.4,
    seconds: 1.5,
    stepsPerSecond: 43_210,
    left: 1.74,
    metrics,
    ...more,
  }) as unknown as Progress;

describe("samples", () => {
  it("are completions of different problems, or demonstrations if there are none", () => {
    expect(samplesOf(progress(own).run)).toEqual({
      taught: false,
      samples: [
        { prompt: "1+2=", answer: "3", right: "3", score: 1 },
        { prompt: "1+2=", answer: "4", right: "3", score: 0 },
        { prompt: "20+3=", answer: "23", right: "23", score: 1 },
      ],
    });
    expect(samplesOf(progress(taught).run, 1)).toEqual({
      taught: true,
      samples: [{ prompt: "1+2=", answer: "3", right: "3" }],
    });
    expect(samplesOf(progress([]).run)).toEqual({ taught: false, samples: [] });
    const steps = [{ ...own[0], episode: { columns: own[0].episode.columns } }];
    expect(samplesOf(progress(steps).run).samples).toEqual([]);
  });

  it("of comparisons are marked as chosen or rejected", () => {
    const pair = ["3", "4"].map((text, i) => {
      const { episode, ...rest } = judged("teacher", "1+2=", text, "3");
      return { ...rest, episode: { ...episode, score: 1 - i } };
    });
    const { samples } = samplesOf(progress(pair).run, 2);
    expect(samples.map((s) => s.recorded)).toEqual([1, 0]);
    expect(samples.map((s) => sampleLine(s, 60, plainInk))).toEqual([
      "1+2= → 3  chosen",
      "1+2= → 4  rejected",
    ]);
    const ranked = { prompt: "a", answer: "b", right: "b", recorded: 0.25 };
    expect(sampleLine(ranked, 60, plainInk)).toBe("a → b  0.25");
  });

  it("of conversations show the model's turns, the last ones first", () => {
    const [one] = own;
    const says = (role: string, content: string, name?: string) => ({ role, content, name });
    const messages = [
      says("user", "1+2="),
      says("assistant", "add(1,2)"),
      says("tool", "3"),
      says("assistant", "hm", "critic"),
      says("assistant", "3"),
    ];
    const answered = { ...one.episode.answered, messages, opening: 1 };
    const talked = [{ ...one, episode: { ...one.episode, answered } }];
    const [sample] = samplesOf(progress(talked).run).samples;
    expect(sample).toEqual({ prompt: "1+2=", answer: "3", turns: ["add(1,2)", "3"], right: "3", score: 1 });
    expect(sampleLine(sample, 60, plainInk)).toBe("1+2= → add(1,2) / 3  ✓");
    expect(sampleLine(sample, 20, plainInk)).toBe("1+2= → …(1,2) / 3  ✓");
  });

  it("fit in one line", () => {
    const line = (prompt: string, answer: string, right: string, score?: number, width = 60) =>
      sampleLine({ prompt, answer, right, score }, width, plainInk);
    expect(line("1+2=", "3", "3", 1)).toBe("1+2= → 3  ✓");
    expect(line("1+2=", "4", "3", 0)).toBe("1+2= → 4  ✗ (3)");
    expect(line("1+2=", "3.1", "3", 0.5)).toBe("1+2= → 3.1  0.5 (3)");
    expect(line("1+2=", "3", "3")).toBe("1+2= → 3");
    expect(line("1+2=", "", "3", 0)).toBe("1+2= → (empty)  ✗ (3)");
    expect(line("a\nb", "\x1b[2J\tx\r\n", "y", 0)).toBe("a⏎b → ·[2J x  ✗ (y)");
    expect(line("abcdefghijkl", "12", "34", 0, 19)).toBe("abcde… → 12  ✗ (34)");
  });

  it("are cut to any width, the prompt first", () => {
    for (const width of [30, 59, 79])
      for (const [prompt, answer, right] of [
        [200, 3, 3],
        [5, 200, 3],
        [5, 3, 200],
        [200, 200, 200],
        [0, 90, 0],
      ].map((sizes) => sizes.map((n) => "x".repeat(n)))) {
        const line = sampleLine({ prompt, answer, right, score: 0 }, width, plainInk);
        expect(widthOf(line)).toBeLessThanOrEqual(width);
        if (answer.length === 3) expect(line).toContain("→ xxx  ✗");
        expect(widthOf(sampleLine({ prompt, answer, right, score: 0 }, width, inkFor(24)))).toBe(
          widthOf(line),
        );
      }
  });
});

describe("samples below the curve", () => {
  it.each([60, 80, 120])("have a fixed height in %i columns", (columns) => {
    const width = Math.min(columns - 1, 100);
    const answers = new Answers();
    const draw = (p: Progress) => {
      answers.look(p);
      return answers.lines(p, width, plainInk);
    };
    const frames = [
      draw(progress([], { seconds: 0, metrics: {} })),
      draw(progress(taught, { seconds: 3, metrics: { "loss/cloning": 1.25, "reward/mean": 1 } })),
      ...Array.from({ length: 50 }, (_, i) => draw(progress(own, { seconds: 6 + i, steps: i }))),
    ];
    for (const lines of frames) {
      expect(lines.length).toBe(answersHeight);
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
    }
    expect(frames[1][1]).toMatch(/^supervised phase: demonstrations {3}loss 1.25 {3}▁/);
    expect(frames[1].slice(2)).toEqual(["1+2= → 3", "20+3= → 23", "5-7= → -2"]);
    expect(frames.at(-1)![1]).toMatch(/^reward 0\.4 .*length 1\.6 .*entropy 0\.21 /);
    expect(frames.at(-1)!.slice(2)).toEqual(["1+2= → 3  ✓", "1+2= → 4  ✗ (3)", "20+3= → 23  ✓"]);
  });

  it("stay for two seconds", () => {
    const answers = new Answers();
    const first = (seconds: number, episodes: readonly unknown[]) => {
      const p = progress(episodes, { seconds });
      answers.look(p);
      return answers.lines(p, 80, plainInk)[2];
    };
    expect(first(10, own)).toBe("1+2= → 3  ✓");
    expect(first(11.9, own.slice(2))).toBe("1+2= → 3  ✓");
    expect(first(12, own.slice(2))).toBe("20+3= → 2  ✗ (23)");
    answers.look(progress(own, { seconds: 12 }), true);
    expect(answers.lines(progress([]), 80, plainInk)[2]).toBe("1+2= → 3  ✓");
  });

  it("are absent in other runs", () => {
    const silent = { ...progress([]), run: { options: { env: {} } } } as unknown as Progress;
    const answers = new Answers();
    answers.look(silent);
    expect(answers.lines(silent, 80, plainInk)).toEqual([]);
    expect(progressLine(silent)).not.toContain("entropy");
  });

  it("fit a small terminal with the curve", () => {
    let text = "";
    const write = (t: string) => (text += t);
    const view = trainingView({ write, isTTY: true, columns: 60, rows: 12 } as never, { title: "title" });
    text = "";
    view.update(progress(own));
    expect(text.split("\n").length).toBeLessThanOrEqual(12);
    expect(text).toContain("20+3= → 23  ");
    view.close();
  });

  it("show loss, accuracy and margin of preferences", () => {
    const metrics = { "loss/preference": 0.5, "preference/accuracy": 0.75, "preference/margin": 0.25 };
    const p = progress(taught, { return: Number.NaN, metrics });
    expect(progressLine(p)).toBe(
      " 25 000 of 100 000 tokens   loss 0.5   accuracy 75 %   margin 0.25   43.2k tokens/s   1.7 s left",
    );
    const answers = new Answers();
    answers.look(p);
    expect(answers.lines(p, 100, plainInk)[1]).toMatch(
      /^recorded completions {3}margin 0.25 .*accuracy 0.75 /,
    );
  });

  it("show loss and accuracy in the supervised phase", () => {
    const metrics = { "loss/cloning": 0.5, "validation/loss": 0.625, "validation/accuracy": 0.75 };
    const p = progress(taught, { return: Number.NaN, metrics });
    expect(progressLine(p)).toBe(
      " 25 000 of 100 000 tokens   supervised phase   loss 0.5   validation loss 0.625   accuracy 75 %   43.2k tokens/s   1.7 s left",
    );
    let text = "";
    const write = (t: string) => (text += t);
    const view = trainingView({ write, isTTY: true, columns: 120, rows: 30 } as never, {
      title: "",
      goal: 0.95,
    });
    view.update(p);
    for (const part of ["━━ loss", "━━ validation loss", "100k tokens", "accuracy 75 %"])
      expect(text).toContain(part);
    for (const part of ["return", "episodes", "steps", "0.95"]) expect(text).not.toContain(part);
    view.close();
  });

  it("are printed at the end of a file", () => {
    const lines: string[] = [];
    const view = lineView({ write: (text: string) => lines.push(text) } as never, { title: "title" });
    view.close(progress(own));
    expect(lines[1].split("\n")).toEqual([
      " 25 000 of 100 000 tokens   return     0.4   length 1.6   entropy 0.21   43.2k tokens/s   1.7 s left",
      "  1+2= → 3  ✓",
      "  1+2= → 4  ✗ (3)",
      "  20+3= → 23  ✓",
      "",
    ]);
  });
});
