import { fail } from "@reins/core";
import { exampleEncoder } from "../examples/encoder.ts";
import type { ExampleText } from "../examples/example.ts";
import { loadReward } from "../models/reward-folder.ts";
import type { RewardModel } from "../models/reward-model.ts";
import { loadTokenizer } from "../tokenizers/hub.ts";
import type { Tokenizer } from "../tokenizers/tokenizer.ts";
import { type AggregationOptions, aggregator } from "./aggregation.ts";
import { TextRewards } from "./text-rewards.ts";

/** How a scorer turns texts into rewards. */
export interface RewardScorerOptions extends AggregationOptions {
  /** Whether to apply the chat template (default: if the tokenizer has one). */
  readonly chat?: boolean;
  /** System message of conversations without one. */
  readonly system?: string;
}

/** A reward model with its tokenizer. */
export interface RewardMember {
  /** Name in errors: its folder. */
  readonly name: string;
  readonly model: RewardModel;
  readonly tokenizer: Tokenizer;
}

/** A text in the tokens of each model of an ensemble. */
export type RewardText = readonly (readonly number[])[];

/** The rewards of a text: of each head of each model, and their aggregate. */
export interface TextReward {
  readonly reward: number;
  readonly members: readonly number[];
}

/** Scores completions of prompts with a reward model or an ensemble of models. */
export class RewardScorer {
  private readonly parts: readonly (RewardMember & {
    readonly encoder: ReturnType<typeof exampleEncoder>;
    readonly rewards: TextRewards;
  })[];
  private readonly combine: ReturnType<typeof aggregator>;

  constructor(members: readonly RewardMember[], { chat, system, ...aggregation }: RewardScorerOptions = {}) {
    if (members.length === 0) fail("reward model", "got no models. Pass at least one.");
    this.combine = aggregator(aggregation);
    this.parts = members.map((member) => {
      const { tokenizer, model } = member;
      const { vocabulary } = model.base.options;
      if (tokenizer.size > vocabulary)
        fail(
          member.name,
          `its tokenizer has ${tokenizer.size} tokens, and the reward model's vocabulary is ${vocabulary}. Use the model's own tokenizer.`,
        );
      const encoder = exampleEncoder({ tokenizer, chat, system });
      return { ...member, encoder, rewards: new TextRewards(model) };
    });
  }

  /** A completion of a prompt in tokens. Throws if a model cannot read it. */
  encode(prompt: ExampleText, completion: ExampleText): RewardText {
    return this.parts.map(({ name, model, encoder }) => {
      const [text] = encoder.comparison({ kind: "labelled", prompt, completion, label: true }) ?? [];
      const tokens = text?.spans.flatMap((s) => s.tokens) ?? [];
      checkLength(name, tokens, model.base.options.context);
      return tokens;
    });
  }

  /** The rewards of texts. Throws if one is not a finite number. */
  score(texts: readonly RewardText[]): TextReward[] {
    const found = this.parts.map(({ rewards }, m) => rewards.of(texts.map((t) => t[m])));
    return texts.map((_, i) => {
      const members = found.flatMap((rewards) => [...rewards[i]]);
      const reward = this.combine(members);
      if (!Number.isFinite(reward))
        fail(
          this.parts.map((p) => p.name).join(", "),
          `the reward of a text is ${reward}. The model has diverged: train it again with a lower learning rate.`,
        );
      return { reward, members };
    });
  }

  /** The rewards of a process reward model at the end of each step of a completion, whose steps are lines. */
  stepRewards(prompt: ExampleText, steps: readonly string[]): number[] {
    const labels = steps.map(() => true);
    const encoded = this.parts.map(({ name, model, encoder }) => {
      const text = encoder.steps({ kind: "steps", prompt, steps, labels });
      const all = text?.spans.flatMap((s) => s.tokens) ?? [];
      checkLength(name, all, model.base.options.context);
      let end = 0;
      return text!.spans.flatMap(({ tokens }, s) => {
        end += tokens.length;
        return text!.labels?.[s] === undefined ? [] : [all.slice(0, end)];
      });
    });
    return this.score(steps.map((_, i) => encoded.map((texts) => texts[i]))).map(({ reward }) => reward);
  }

  /** The rewards of completions of a prompt. */
  rewards(prompt: ExampleText, completions: readonly ExampleText[]): number[] {
    return this.score(completions.map((c) => this.encode(prompt, c))).map(({ reward }) => reward);
  }
}

/** Refuses texts that a model cannot read as a whole. */
function checkLength(name: string, tokens: readonly number[], context: number): void {
  if (tokens.length === 0) fail(name, "the completion has no tokens.");
  if (tokens.length > context)
    fail(
      name,
      `a text has ${tokens.length} tokens, and the context of the reward model is ${context}. Shorten it, or use a model with a longer context.`,
    );
}

/** Loads a reward model, or an ensemble of several, with tokenizers and chat templates. */
export async function loadRewardModel(
  folders: string | readonly string[],
  options: RewardScorerOptions = {},
): Promise<RewardScorer> {
  const members: RewardMember[] = [];
  for (const folder of [folders].flat()) {
    const model = await loadReward(folder);
    members.push({
      name: folder,
      model,
      tokenizer: await loadTokenizer(folder, model.base.options.vocabulary),
    });
  }
  return new RewardScorer(members, options);
}
