import { type Task, type TaskItem, text } from "@reins/core";
import { Statistics } from "@reins/core/metrics";
import { random } from "@reins/tensor";
import { newModel } from "../models/language-model.ts";
import { textStage } from "../stage/stage.ts";
import { type TextTask, textTask } from "../tasks/text-task.ts";
import { characters } from "../tokenizers/characters.ts";
import type { TextStageOptions } from "./stage-options.ts";

/** Repeats letters. Level 2 has longer texts. */
export const echo: TextTask<{ letters: string }> = textTask({
  id: "echo",
  about: "Repeat some letters.",
  levels: 2,
  alphabet: "abcd:",
  longest: { prompt: 12, answer: 6 },
  make(random, level) {
    const draw = (n: number) => Array.from({ length: n }, () => "abcd"[random.integers(4)]).join("");
    const letters = draw(3 * level);
    return { prompt: `${draw(3)}:${letters}:`, answer: letters, data: { letters } };
  },
  verify: ({ data }, answer) => ({
    score: answer === data.letters ? 1 : 0,
    wellFormed: /^[a-d]+$/.test(answer),
  }),
});

export const tokenizer = characters(echo.alphabet);

/** A tiny model for the letters, the same each time. */
export const tiny = (more: object = {}) =>
  newModel(
    {
      layers: 1,
      width: 12,
      heads: 2,
      context: 24,
      vocabulary: tokenizer.size,
      style: "llama",
      deviation: 0.3,
      ...more,
    },
    random.key(2),
  );

/** Options of a stage for `echo`. */
export const options = (more: Partial<TextStageOptions> = {}): TextStageOptions => ({
  task: echo,
  level: 1,
  start: tiny(),
  tokenizer,
  rows: 8,
  ...more,
});

/** The episodes of some problems, batch by batch. */
export function playing(o: TextStageOptions, problems: (batch: number) => readonly Partial<TaskItem>[]) {
  let batch = 0;
  const task: Task = {
    next: () => problems(batch++).map((p, i) => ({ key: "p", seed: i, groupSize: 1, ...p })),
  };
  const stage = textStage(o);
  const shared = {
    policy: stage.policy,
    weights: o.start.params as never,
    task,
    statistics: new Statistics(),
    key: random.key(7),
    version: () => 3,
  };
  return { play: stage.play(shared), show: stage.demonstrations!(shared) };
}

/** A stage as the environment of a run. */
export const placeOf = (o: TextStageOptions) => ({
  spec: { id: o.task.id, observation: text(12), action: text(6) },
  stage: textStage(o),
});
