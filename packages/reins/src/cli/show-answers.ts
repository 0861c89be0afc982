import type { Agent } from "../agents/agent.ts";
import { estimateLine } from "../terminal/estimate-line.ts";
import { type Io, inkOf, print } from "../terminal/io.ts";
import { sampleLine } from "../terminal/samples.ts";
import { short } from "../terminal/words.ts";
import { readSamples } from "../training/sample-file.ts";

/** Shows what a run in words answers: what it kept last while it learned, and some held-out problems, answered now and in full. */
export async function showAnswers(
  agent: Agent,
  { path, episodes, seed, sample }: { path: string; episodes: number; seed: number; sample: boolean },
  io: Io,
): Promise<void> {
  const ink = inkOf(io.out);
  const width = io.out.columns ?? 100;
  const kept = readSamples(path);
  const last = kept.filter((s) => s.step === kept.at(-1)?.step);
  print(io.out, ink.bold(`${agent.algorithm} on ${agent.spec.id}`));
  if (last.length) {
    const whose = last[0].by === "teacher" ? "a teacher's answers, which it imitates" : "its own answers";
    print(io.out, "", `kept at step ${short(last[0].step)}: ${whose}`);
    print(io.out, ...last.map((s) => sampleLine(s, width, ink)));
  }
  const { answers = [], returns } = await agent.evaluate(episodes, { seed, greedy: !sample });
  for (const { prompt, answer, right, score } of answers)
    print(
      io.out,
      "",
      ink.dim(legible(prompt)),
      legible(answer),
      score >= 1
        ? ink.color(2, "✓")
        : `${ink.color(5, short(score))} ${ink.dim(`(right: ${legible(right)})`)}`,
    );
  print(io.out, "", estimateLine([...returns]));
}

/** Anything that a model may write, without moving the cursor elsewhere than to the next line. */
const legible = (text: string): string =>
  text
    .trim()
    .replace(/\r\n/g, "\n")
    .replace(/[^\n\P{C}]/gu, "·") || "nothing";
