import { fail, type Stage } from "@reins/core";
import { type RewardModel, type RewardParams, rewardHead, rewardStage } from "@reins/language";
import { random } from "@reins/tensor";
import type { SourceDetails } from "../source.ts";
import type { Answerer } from "./model.ts";

/** The parts of a source that trains a reward model instead of a policy. */
type RewardSource = { readonly stage: Stage } & Pick<
  SourceDetails,
  "saveModel" | "saveAdapters" | "checkFolder"
>;

/** Trains a reward model on the comparisons of a stage: a new head on its model, or the reward model of its folder. */
export function rewardSource(
  name: string,
  base: Stage,
  answerer: Pick<Answerer, "start" | "tokenizer" | "saveReward" | "saveAdapters" | "checkFolder"> & {
    readonly reward?: RewardModel;
  },
  { ensemble, folder }: { readonly ensemble?: number; readonly folder?: string },
): RewardSource {
  const { start, tokenizer, reward: known } = answerer;
  if (known && ensemble !== undefined && ensemble !== known.heads)
    fail(
      folder ?? name,
      `ensemble is ${ensemble}, and the reward model of the folder has ${known.heads} ${known.heads === 1 ? "head" : "heads"}. Omit ensemble, or start from a language model.`,
    );
  const fresh = rewardHead(start, random.key(0), { heads: ensemble, padding: tokenizer.pad });
  const reward = known ? { ...fresh, ...withHead(fresh, known) } : fresh;
  return {
    stage: rewardStage(base, { name, reward, fresh: !known }),
    saveModel: (weights, to) => answerer.saveReward({ ...reward, params: weights as RewardParams }, to),
    // The command line offers adapters of language models only.
    ...(answerer.saveAdapters ? { saveAdapters: async (_: unknown, to: string) => refuseAdapters(to) } : {}),
    checkFolder(to, content) {
      if (content === "adapters") refuseAdapters(to);
      answerer.checkFolder(to, content);
    },
  };
}

/** The heads and the padding token of a loaded reward model. */
const withHead = ({ params }: RewardModel, { params: { head }, heads, padding }: RewardModel) => ({
  params: { ...params, head },
  heads,
  ...(padding === undefined ? {} : { padding }),
});

const refuseAdapters = (folder: string): never =>
  fail(
    folder,
    "the adapters of a reward model are not written alone, because its head is trained too. Write the whole model: --save-model.",
  );
