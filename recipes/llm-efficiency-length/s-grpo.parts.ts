import type { Episode, EpisodeSource, RolloutInput, Snapshot } from "@reins/core";
import { defaultRng, seedOf, stream } from "@reins/core/random";
import {
  answerLimit,
  generatorFor,
  problemOf,
  promptOf,
  type TextStageOptions,
  textEpisode,
} from "@reins/language";
import type { GptParams } from "@reins/nn";
import type { Answer } from "../shared/length-rewards.ts";

/** 1 for the first correct answer of a group, half of it for each further one, 0 for wrong ones. Answers are in the order of their exits. */
export function decaying(group: readonly Answer[]): number[] {
  let next = 1;
  return group.map(({ right }) => {
    const reward = right ? next : 0;
    if (right) next /= 2;
    return reward;
  });
}

/** Numbers of reasoning tokens after which a path is left, in ascending order: uniform from 1 to all of them, or to `most`. */
export function exitsOf(
  path: readonly number[],
  mark: number,
  { count, most, uniform }: { count: number; most: number; uniform: () => number },
): number[] {
  const end = path.indexOf(mark);
  const reasoning = Math.min(end < 0 ? path.length : end, most);
  if (reasoning === 0) return [];
  return Array.from({ length: count }, () => 1 + Math.floor(reasoning * uniform())).sort((a, b) => a - b);
}

/**
 * Serial groups: one answer of each problem is sampled, its reasoning is cut at several positions, and an answer is sampled after each cut.
 * The cuts of a group come first, the whole answer last. Shared tokens are counted once.
 */
export const serialGroups =
  (options: TextStageOptions) =>
  (input: RolloutInput): EpisodeSource => {
    const { task, tokenizer } = options;
    const seed = seedOf(input.key);
    const limit = answerLimit(task, options.limit);
    const [mark] = tokenizer.encode("#");
    const generator = generatorFor(options, input.weights as GptParams, {
      record: true,
      version: input.version,
    });
    let [steps, batches, texts] = [0, 0, 0];
    const write = (prompts: readonly { prompt: readonly number[]; limit: number }[]) =>
      generator.generate(prompts.map((p) => ({ ...p, seed: stream(seed, "text", texts++) })));
    return {
      get steps() {
        return steps;
      },
      next() {
        const random = defaultRng(stream(seed, "exits", batches));
        generator.forget();
        const asked = input.task.next(input.statistics).map((item, i) => {
          const problem = problemOf(options, item);
          const { prompt } = promptOf(options, problem);
          return { item, problem, prompt, group: item.group ?? `${batches}/${i}` };
        });
        batches++;
        const paths = write(asked.map(({ prompt }) => ({ prompt, limit })));
        const cuts = asked.map(({ item }, i) =>
          exitsOf(paths[i].tokens, mark, {
            count: item.groupSize - 1,
            // Room for the mark, an answer and its end.
            most: limit - 3,
            uniform: () => random.random(),
          }).map((at) => [...paths[i].tokens.slice(0, at), mark]),
        );
        const answers = write(
          asked.flatMap(({ prompt }, i) =>
            cuts[i].map((cut) => ({ prompt: [...prompt, ...cut], limit: limit - cut.length })),
          ),
        );
        for (const { tokens } of paths) steps += tokens.length;
        for (const { tokens } of answers) steps += tokens.length + 1;
        let taken = 0;
        return asked.flatMap(({ item, problem, prompt, group }, i) => {
          const episode = (tokens: readonly number[], ended: string): Episode =>
            textEpisode(
              [
                { by: "environment", tokens: prompt },
                { by: "policy", tokens },
              ],
              {
                task: `${task.id} ${problem.level}`,
                group,
                context: item.context,
                truncated: ended === "limit",
                answered: { problem, text: tokenizer.decode(tokens), ended },
              },
            );
          const exits = cuts[i].map((cut) => {
            const { tokens, ended } = answers[taken++];
            return episode([...cut, ...tokens], ended);
          });
          return [...exits, episode(paths[i].tokens, paths[i].ended)];
        });
      },
      save: (): Snapshot => ({ steps, batches, texts }),
      restore(from) {
        const s = from as { steps: number; batches: number; texts: number };
        [steps, batches, texts] = [s.steps, s.batches, s.texts];
      },
    };
  };
