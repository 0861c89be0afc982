import { defaultSeed, type Evaluated, fail, judges, type Stage, stream } from "@reins/core";
import type { GptParams } from "@reins/nn";
import { real, type Tree } from "@reins/tensor";
import type { LiveGenerator } from "../generation/live.ts";
import { mean, measured, type Written } from "../play/measured.ts";
import type { TextStageOptions } from "../stage-options.ts";
import { type Problem, usualTurns } from "../tasks/family.ts";
import { Conversations, liveFor, talkWith } from "./conversations.ts";
import type { Held } from "./converse.ts";
import { Lessons } from "./lessons.ts";
import { talkText } from "./talk-text.ts";
import { talkVerdict, talkVerifier } from "./talk-verifier.ts";

/** What is different on a stage where problems are talked about: everything is played. `heldOut` gives problems to measure by. */
export function talkStage(
  options: TextStageOptions,
  heldOut: (count: number, seed: number) => readonly Problem[],
): Pick<Stage, "limit" | "offers" | "play" | "show" | "judge" | "evaluate"> {
  const { family, limit = family.longest.answer + 1 } = options;
  const kept = new Map<boolean, { live: LiveGenerator; weights: Tree }>();
  const generator = (weights: Tree, greedy: boolean): LiveGenerator => {
    let own = kept.get(greedy);
    if (!own) kept.set(greedy, (own = { live: liveFor(options, weights as GptParams, { greedy }), weights }));
    // Weights that are the same tree may have other numbers.
    if (own.weights !== weights) own.live.use(weights as GptParams);
    own.weights = weights;
    own.live.forget();
    return own.live;
  };
  return {
    limit: limit * (family.turns ?? usualTurns),
    offers: ["greedy", "teacher"],
    play: (playing) => new Conversations(options, playing),
    show: (playing) => new Lessons(options, playing),
    judge: talkVerifier(family),
    async evaluate(
      weights,
      { episodes = 100, seed = defaultSeed, greedy = true, samples = 1, breath } = {},
    ): Promise<Evaluated> {
      checkSamples(family.id, samples, greedy);
      const own = stream(seed, "evaluation");
      const problems = heldOut(episodes, own);
      const live = generator(weights, greedy);
      const held = await Promise.all(
        problems.flatMap((problem, i) =>
          Array.from({ length: samples }, async (_, j) => {
            const seed = stream(j ? stream(own, "sample", j) : own, "text", i);
            const one = await talkWith(options, live, problem, { seed, greedy });
            await breath?.();
            return one;
          }),
        ),
      );
      const verdicts = await Promise.all(held.map((h) => talkVerdict(family, h.conversed)));
      const why = judges.allFailed(verdicts);
      if (why !== undefined)
        fail(
          `task ${family.id}`,
          `all ${held.length} conversations failed, so nothing is known of the model. The first time it said: ${why}`,
        );
      return measured(
        problems,
        held.map(writtenOf),
        verdicts.map((v) => ({ ...v, reward: v.score ?? v.reward })),
      );
    },
  };
}

/** What the model wrote in a conversation, all turns together. */
function writtenOf({ context, conversed }: Held): Written {
  const own = context.scenes.flatMap((s) => s.passages).filter((p) => p.turn !== undefined);
  return {
    text: talkText(conversed),
    tokens: own.reduce((sum, p) => sum + p.tokens.length, 0),
    confidence: mean(own.flatMap((p) => p.modelLogProbs ?? []).map(real.exp)),
    entropy: mean(own.flatMap((p) => p.entropies ?? [])),
  };
}

/** Refuses a number of answers that makes no sense. */
export function checkSamples(id: string, samples: number, greedy: boolean): void {
  if (!Number.isInteger(samples) || samples < 1)
    fail(`task ${id}`, `samples is ${samples}; it must be a whole number from 1.`);
  if (greedy && samples > 1)
    fail(
      `task ${id}`,
      `${samples} answers without chance would be ${samples} times the same. Set greedy to false.`,
    );
}
