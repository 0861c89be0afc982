import {
  type Episode,
  type EpisodeSource,
  fail,
  type TaskItem as Play,
  type RolloutInput,
  type Snapshot,
} from "@reins/core";
import { seedOf, stream } from "@reins/core/random";
import type { GptParams } from "@reins/nn";
import { TextGenerator } from "../generation/generator.ts";
import { geometricMixture, mixed } from "../generation/mixture.ts";
import type { Generated, Request } from "../generation/sequence.ts";
import { spanOf } from "../generation/span.ts";
import { stopAt } from "../generation/stop.ts";
import { answerLimit } from "../tasks/lengths.ts";
import type { Problem } from "../tasks/text-task.ts";
import { encodeAfter } from "../tokenizers/continuation.ts";
import { checkLength } from "./check-length.ts";
import { type GeneratorPurpose, generatorOptions } from "./generator-options.ts";
import { formOf, type Prompt, promptOf } from "./prompt.ts";
import type { TextStageOptions } from "./stage-options.ts";
import { problemOf } from "./task-problem.ts";
import { textEpisode } from "./text-episode.ts";

/** A generator for a stage with the given weights. For training, it records kept sets. */
export function generatorFor(
  options: TextStageOptions,
  params: GptParams,
  more: GeneratorPurpose = {},
): TextGenerator {
  return new TextGenerator(generatorOptions(options, params, more));
}

/** One text to generate. */
interface Rollout extends Prompt {
  readonly item: Play;
  readonly problem: Problem;
  readonly group: string;
  /** The prefix of the reference answer that is given as a hint. */
  readonly hint: readonly number[];
}

/** Rollouts of the model's own answers. A problem's context may set a sampling temperature for it, as `temperature`. */
export class Answers implements EpisodeSource {
  steps = 0;
  private batches = 0;
  private plays = 0;
  private readonly seed: number;
  private readonly generator: TextGenerator;
  private greedy: TextGenerator | undefined;
  /** Generators of the reference policy and of its mixtures with the policy, by its weight. */
  private readonly references = new Map<number, TextGenerator>();
  private readonly options: TextStageOptions;
  private readonly input: RolloutInput;

  constructor(options: TextStageOptions, input: RolloutInput) {
    this.options = options;
    this.input = input;
    this.seed = seedOf(input.key);
    this.generator = generatorFor(options, this.params, { record: true, version: input.version });
  }

  private get params(): GptParams {
    return this.input.weights as GptParams;
  }

  next(): readonly Episode[] {
    const { task, statistics } = this.input;
    const rollouts = task.next(statistics).map((item, p) => this.rollout(item, p));
    this.batches++;
    // A resumed run has empty KV caches.
    this.generator.forget();
    this.greedy?.forget();
    for (const reference of this.references.values()) reference.forget();
    const own = rollouts.flatMap((rollout) => Array.from({ length: rollout.item.groupSize }, () => rollout));
    const answers = this.generator.generate(own.map((rollout) => this.request(rollout, this.plays++)));
    const compared = rollouts.filter((s) => s.item.greedy);
    if (compared.length && !this.greedy)
      this.greedy = generatorFor(this.options, this.params, { greedy: true, version: this.input.version });
    const best = this.greedy?.generate(compared.map((rollout) => this.request(rollout, 0, false))) ?? [];
    return [
      ...own.map((rollout, i) => this.episode(rollout, answers[i])),
      ...compared.map((rollout, i) => this.episode(rollout, best[i], "greedy")),
      ...this.ofReference(rollouts),
      ...rollouts.flatMap((s) => Array.from({ length: s.item.teachers ?? 0 }, () => this.demonstration(s))),
    ];
  }

  /** Samples of the frozen reference policy, or of its mixture with the policy. */
  private ofReference(rollouts: readonly Rollout[]): Episode[] {
    const asked = rollouts.flatMap((s) => Array.from({ length: s.item.references ?? 0 }, () => s));
    if (asked.length === 0) return [];
    const requests = asked.map((rollout) => this.request(rollout, this.plays++));
    const shareOf = ({ item: { mixture = 1 } }: Rollout) => mixture;
    const answers = new Map<Rollout, Generated[]>();
    for (const share of new Set(asked.map(shareOf))) {
      const own = asked.flatMap((rollout, i) => (shareOf(rollout) === share ? [i] : []));
      this.referenceOf(share)
        .generate(own.map((i) => requests[i]))
        .forEach((answer, k) => {
          const rollout = asked[own[k]];
          answers.set(rollout, [...(answers.get(rollout) ?? []), answer]);
        });
    }
    return asked.map((rollout) => this.episode(rollout, answers.get(rollout)!.shift()!, "teacher"));
  }

  /** The generator of the reference policy, which has this weight in a mixture with the policy. */
  private referenceOf(share: number): TextGenerator {
    const known = this.references.get(share);
    if (known) return known;
    const { options, params } = this;
    const reference = this.input.reference as GptParams | undefined;
    if (!reference) fail(`task ${options.task.id}`, "the algorithm declares no reference policy.");
    const mixture = () => {
      const model = geometricMixture(options.start.model, share);
      return generatorFor({ ...options, start: { ...options.start, model } }, mixed(params, reference));
    };
    const made = share === 1 ? generatorFor(options, reference) : mixture();
    this.references.set(share, made);
    return made;
  }

  private rollout(item: Play, index: number): Rollout {
    const { tokenizer } = this.options;
    const problem = problemOf(this.options, item);
    const share = Number((item.context as { hint?: number } | undefined)?.hint ?? 0);
    const given = promptOf(this.options, problem);
    const right = share > 0 ? encodeAfter(tokenizer, given.prompt.at(-1), problem.answer) : [];
    return {
      item,
      problem,
      group: item.group ?? `${this.batches}/${index}`,
      ...given,
      hint: right.slice(0, Math.floor(share * right.length)),
    };
  }

  private request(
    { prompt, image, hint, item: { context } }: Rollout,
    play: number,
    sampled = true,
  ): Request {
    const { task, stop = [], tokenizer, limit } = this.options;
    const temperature = context?.temperature;
    return {
      prompt: [...prompt, ...hint],
      image,
      limit: Math.max(1, answerLimit(task, limit) - hint.length),
      seed: stream(this.seed, "text", play),
      ...(sampled && typeof temperature === "number" ? { sampling: { temperature } } : {}),
      ...(stop.length ? { stop: stopAt(stop, tokenizer) } : {}),
    };
  }

  private episode(rollout: Rollout, answer: Generated, role?: "greedy" | "teacher"): Episode {
    const { tokens, ended } = answer;
    this.steps += tokens.length;
    const text = this.options.tokenizer.decode([...rollout.hint, ...tokens]);
    return textEpisode(
      [
        { by: "environment", tokens: rollout.prompt },
        { by: "hint", tokens: rollout.hint },
        spanOf(answer, role ?? "policy"),
      ],
      {
        ...this.about(rollout),
        truncated: ended === "limit",
        ...(role ? { role } : {}),
        answered: { problem: rollout.problem, text, ended },
      },
      this.imagesOf(rollout),
    );
  }

  /** The teacher's reference answer. */
  private demonstration(rollout: Rollout): Episode {
    const { tokenizer } = this.options;
    const text = rollout.problem.answer;
    const answer = [...encodeAfter(tokenizer, rollout.prompt.at(-1), text), tokenizer.end];
    checkLength(this.options, rollout.prompt.length, answer.length);
    return textEpisode(
      [
        { by: "environment", tokens: rollout.prompt },
        { by: "teacher", tokens: answer },
      ],
      {
        ...this.about(rollout),
        truncated: false,
        role: "teacher",
        answered: { problem: rollout.problem, text, ended: "end" },
      },
      this.imagesOf(rollout),
    );
  }

  private imagesOf({ image }: Rollout) {
    return { ...formOf(this.options), image };
  }

  private about({ problem, group, item }: Rollout) {
    return { task: `${this.options.task.id} ${problem.level}`, group, context: item.context };
  }

  save(): Snapshot {
    return { steps: this.steps, batches: this.batches, plays: this.plays };
  }

  restore(from: Snapshot): void {
    const s = from as { steps: number; batches: number; plays: number };
    Object.assign(this, { steps: s.steps, batches: s.batches, plays: s.plays });
  }
}
