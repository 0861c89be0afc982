import {
  type Episode,
  type EpisodeSource,
  fail,
  type TaskItem as Play,
  type RolloutInput,
  type Snapshot,
} from "@reins/core";
import { defaultRng, seedOf, stream } from "@reins/core/random";
import type { GptParams } from "@reins/nn";
import { tensor } from "@reins/tensor";
import type { TextGenerator } from "../generation/generator.ts";
import { stopAt } from "../generation/stop.ts";
import { answerLimit } from "../tasks/lengths.ts";
import type { Problem } from "../tasks/text-task.ts";
import { generatorFor } from "./answers.ts";
import { formOf, type Prompt, promptOf } from "./prompt.ts";
import type { TextStageOptions } from "./stage-options.ts";
import { problemOf } from "./task-problem.ts";
import { textEpisode } from "./text-episode.ts";
import {
  type Branch,
  branch,
  type Fork,
  forksOf,
  nodesOf,
  type Prefix,
  pathTo,
  spanOfPrefix,
} from "./tree.ts";

/**
 * Options of tree rollouts. An answer forked at f positions in each of r rounds, w times each, becomes 1 + f r w
 * answers.
 */
export interface BranchesOptions {
  /** Answers that begin at the prompt, each the root of a tree (default: the problem's group size; 2 to 16). */
  readonly roots?: number;
  /** Positions of each tree that are forked in a round (default 2). */
  readonly forks?: number;
  /** Continuations generated from each position (default 2). */
  readonly width?: number;
  /** Rounds of forking; later rounds may fork the output of earlier ones (default 1). */
  readonly rounds?: number;
  /** Criterion for the positions (default `surprise`). */
  readonly by?: Fork;
  /** Tokens at the end of each text that are not forked (default 1, the end token). */
  readonly margin?: number;
}

/**
 * Tree rollouts: whole answers first, then other continuations from the positions where the model was least certain.
 * Replaces the rollouts of a stage: `{ ...stage, play: branches(options) }`. Every leaf is an episode with all tokens
 * on its path and the column `node`, for `targets.treeAdvantages`; shared tokens are generated, and counted, once.
 */
export function branches(options: TextStageOptions, how: BranchesOptions = {}) {
  return (input: RolloutInput): EpisodeSource => new Branches(options, how, input);
}

/** A problem and its trees of answers. */
interface Grown extends Prompt {
  readonly item: Play;
  readonly problem: Problem;
  readonly group: string;
  readonly trees: Branch[][];
}

class Branches implements EpisodeSource {
  steps = 0;
  private batches = 0;
  private texts = 0;
  private readonly seed: number;
  private readonly generator: TextGenerator;
  private readonly options: TextStageOptions;
  private readonly how: BranchesOptions;
  private readonly input: RolloutInput;

  constructor(options: TextStageOptions, how: BranchesOptions, input: RolloutInput) {
    this.options = options;
    this.how = how;
    this.input = input;
    this.seed = seedOf(input.key);
    const params = input.weights as GptParams;
    this.generator = generatorFor(options, params, { record: true, version: input.version });
  }

  next(): readonly Episode[] {
    const { task, statistics } = this.input;
    const { forks = 2, width = 2, rounds = 1, by = "surprise", margin = 1 } = this.how;
    const all = task.next(statistics).map((item, i) => this.begin(item, i));
    const random = defaultRng(stream(this.seed, "forks", this.batches++));
    // A resumed run has empty KV caches.
    this.generator.forget();
    const stems = all.flatMap((grown) =>
      Array.from({ length: this.how.roots ?? grown.item.groupSize }, () => {
        const tree: Branch[] = [];
        grown.trees.push(tree);
        return { grown, tree, before: [] };
      }),
    );
    this.write(stems);
    for (let round = 0; round < rounds; round++)
      this.write(
        all.flatMap((grown) =>
          grown.trees.flatMap((tree) =>
            forksOf(tree, { count: forks, by, margin }, random).flatMap((fork) => {
              const before = [...fork.branch.before, fork];
              return Array.from({ length: width }, () => ({ grown, tree, before }));
            }),
          ),
        ),
      );
    return all.flatMap((grown) => this.leaves(grown));
  }

  private begin(item: Play, index: number): Grown {
    if (item.greedy || item.teachers)
      fail(
        "branches",
        "tree rollouts support neither greedy baselines nor teachers. Leave out greedy and teachers.",
      );
    const problem = problemOf(this.options, item);
    const group = item.group ?? `${this.batches}/${index}`;
    return { item, problem, ...promptOf(this.options, problem), group, trees: [] };
  }

  /** Generates new branches, all in one batch. */
  private write(growing: readonly { grown: Grown; tree: Branch[]; before: readonly Prefix[] }[]): void {
    const { task, limit: most, stop = [], tokenizer } = this.options;
    const limit = answerLimit(task, most);
    const stops = stop.length ? stopAt(stop, tokenizer) : undefined;
    const requests = growing.map(({ grown, before }) => {
      const tokens = before.flatMap((prefix) => spanOfPrefix(prefix).tokens);
      return {
        // A stop string may begin before the fork.
        ...(stops ? { stop: (own: readonly number[]) => stops([...tokens, ...own]) } : {}),
        prompt: [...grown.prompt, ...tokens],
        image: grown.image,
        limit: limit - tokens.length,
        seed: stream(this.seed, "text", this.texts++),
      };
    });
    this.generator.generate(requests).forEach((text, i) => {
      this.steps += text.tokens.length;
      growing[i].tree.push(branch(growing[i].before, text));
    });
  }

  private leaves({ item, problem, group, prompt, image, trees }: Grown): Episode[] {
    const { tokenizer, task } = this.options;
    const form = formOf(this.options);
    const all = trees.flat();
    const nodes = nodesOf(all);
    return all.map((leaf, i) => {
      const spans = pathTo(leaf).map(spanOfPrefix);
      const tokens = spans.flatMap((span) => span.tokens);
      const { ended } = leaf.text;
      const episode = textEpisode(
        [{ by: "environment", tokens: prompt }, ...spans],
        {
          task: `${task.id} ${problem.level}`,
          group,
          context: item.context,
          truncated: ended === "limit",
          answered: { problem, text: tokenizer.decode(tokens), ended },
        },
        { ...form, image },
      );
      const node = tensor(Int32Array.from([...prompt.slice(1).map(() => 0), ...nodes[i]]), { dtype: "i32" });
      return { ...episode, columns: { ...episode.columns, node } };
    });
  }

  save(): Snapshot {
    return { steps: this.steps, batches: this.batches, texts: this.texts };
  }

  restore(from: Snapshot): void {
    const { steps, batches, texts } = from as { steps: number; batches: number; texts: number };
    Object.assign(this, { steps, batches, texts });
  }
}
