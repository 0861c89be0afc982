import { type EvaluationResult, fail, type Stage } from "@reins/core";
import * as judges from "@reins/core/judges";
import { defaultSeed, stream } from "@reins/core/random";
import { real, type Tree } from "@reins/tensor";
import { ownTokens } from "../chat/context.ts";
import { evaluationMetrics, type GeneratedAnswer, mean } from "../rollouts/evaluation-metrics.ts";
import type { TextStageOptions } from "../rollouts/stage-options.ts";
import { episodeOf } from "../tasks/episode.ts";
import { answerLimit } from "../tasks/lengths.ts";
import type { Problem } from "../tasks/text-task.ts";
import { conversationVerdict, conversationVerifier, verdictsWithTimeout } from "./conversation-verifier.ts";
import { Conversations } from "./conversations.ts";
import { ExpertConversations } from "./expert-conversations.ts";
import { Frozen } from "./frozen-weights.ts";
import type { Harness } from "./harness.ts";
import { harnessFor } from "./harness-for.ts";
import type { ConversationRollout } from "./speaker.ts";
import { transcript } from "./transcript.ts";

/** The multi-turn part of a stage: every sample is a rollout. `heldOut` gives the evaluation problems. */
export function conversationStage(
  options: TextStageOptions,
  heldOut: (count: number, seed: number) => readonly Problem[],
): Pick<Stage, "limit" | "samplingModes" | "play" | "demonstrations" | "judge" | "evaluate"> {
  const { task, limit } = options;
  let harness: Harness | undefined;
  const frozen = new Frozen(options.start.params);
  const harnessOf = (weights: Tree): Harness => {
    harness ??= harnessFor(options, { weights, frozen });
    harness.use(weights);
    // The same tree may have new values.
    harness.forget();
    return harness;
  };
  return {
    limit: answerLimit(task, limit) * episodeOf(task).turns,
    samplingModes: ["greedy", "teacher"],
    play: (input) => new Conversations(options, input, frozen),
    demonstrations: (input) => new ExpertConversations(options, input),
    judge: conversationVerifier(task),
    async evaluate(
      weights,
      { episodes = 100, seed = defaultSeed, greedy = true, samples = 1, yieldHook } = {},
    ): Promise<EvaluationResult> {
      checkSamples(task.id, samples, greedy);
      const own = stream(seed, "evaluation");
      const problems = heldOut(episodes, own);
      const at = harnessOf(weights);
      const rollouts = await Promise.all(
        problems.flatMap((problem, i) =>
          Array.from({ length: samples }, async (_, j) => {
            const seed = stream(j ? stream(own, "sample", j) : own, "text", i);
            const [one] = await at.rollout(problem, { seed, greedy });
            await yieldHook?.();
            return one;
          }),
        ),
      );
      const verdicts = await verdictsWithTimeout(rollouts.map((h) => conversationVerdict(task, h.result)));
      const why = judges.allFailed(verdicts);
      if (why !== undefined)
        fail(
          `task ${task.id}`,
          `all ${rollouts.length} conversations failed, so the model has no score. First failure: ${why}`,
        );
      return evaluationMetrics(
        problems,
        rollouts.map(writtenOf),
        verdicts.map((v) => ({ ...v, reward: v.score ?? v.reward })),
      );
    },
  };
}

/** All turns of the model in a conversation. */
function writtenOf({ segments, result }: ConversationRollout): GeneratedAnswer {
  const own = segments.flatMap((s) => s.spans).filter((p) => p.turn !== undefined);
  return {
    text: transcript(result),
    tokens: ownTokens(segments),
    confidence: mean(own.flatMap((p) => p.modelLogProb ?? []).map(real.exp)),
    entropy: mean(own.flatMap((p) => p.entropy ?? [])),
    counts: {
      turns: result.rewards.length,
      calls: Object.values(result.calls).reduce((sum, n) => sum + n, 0),
      "calls/failed": Object.entries(result.calls).reduce((sum, [s, n]) => sum + (s === "ok" ? 0 : n), 0),
    },
  };
}

/** Throws if the number of samples is invalid. */
export function checkSamples(id: string, samples: number, greedy: boolean): void {
  if (!Number.isInteger(samples) || samples < 1)
    fail(`task ${id}`, `samples is ${samples}; it must be an integer of at least 1.`);
  if (greedy && samples > 1)
    fail(`task ${id}`, `greedy decoding gives ${samples} identical answers. Set greedy to false.`);
}
