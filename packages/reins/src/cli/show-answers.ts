import type { Agent } from "../agents/agent.ts";
import { estimateLine } from "../terminal/estimate-line.ts";
import { short } from "../terminal/format.ts";
import { type Io, inkOf, print } from "../terminal/io.ts";
import { sampleLine } from "../terminal/samples.ts";
import { readSamples } from "../training/sample-file.ts";

/** Shows the last saved samples of a language run, and completions of held-out problems. */
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
    const source = last[0].by === "teacher" ? "demonstrations" : "completions of the policy";
    print(io.out, "", `saved after ${short(last[0].step)} tokens: ${source}`);
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
        : `${ink.color(5, short(score))} ${ink.dim(`(correct: ${legible(right)})`)}`,
    );
  print(io.out, "", estimateLine([...returns], agent.spec));
}

/** Replaces control characters other than line breaks. */
const legible = (text: string): string =>
  text
    .trim()
    .replace(/\r\n/g, "\n")
    .replace(/[^\n\P{C}]/gu, "·") || "(empty)";
