import { type Environment, fail } from "@reins/core";
import { fillTree, flattenNames } from "@reins/nn";
import { random } from "@reins/tensor";
import type { SourceDetails } from "../places/source.ts";
import { type Agent, noAdapters, noModel, noWords } from "./agent.ts";
import type { LanguageContent } from "./language-file.ts";
import { noFile } from "./run-content.ts";

/** A language task, with the ways to write its model. */
type Words = Environment & Partial<Pick<SourceDetails, "saveModel" | "saveAdapters">>;

/** A language agent with weights from a file, on the task of its training. */
export function languageAgent({ tensors, ...about }: LanguageContent, file: string, place: Words): Agent {
  const { spec, stage } = place;
  if (!stage)
    return fail(file, `this file holds a language model's weights, but ${spec.id} is not a language task.`);
  const plain = stage.policy.init(random.key(0));
  // A model with a critic has more tensors.
  const policy = stage.critic && tensors.size > flattenNames(plain).size ? stage.critic : stage.policy;
  const weights = fillTree(policy === stage.policy ? plain : policy.init(random.key(0)), tensors, file);
  const nothing = () => fail(spec.id, "a language task has no environment to step.");
  return {
    ...about,
    spec,
    masked: false,
    current: { policy, weights },
    place: async () => nothing(),
    act: (observation) => stage.answer(weights, observation),
    forget() {},
    async evaluate(episodes = 100, { env, ...rest } = {}) {
      return env === undefined ? stage.evaluate(weights, { episodes, ...rest }) : nothing();
    },
    save: async () => noFile(spec.id),
    saveModel: async (folder) => (place.saveModel ?? noModel(spec.id))(weights, folder),
    serve: async (options) => (stage.serve ?? noWords(spec.id))(weights, options),
    saveAdapters: async (folder) => (place.saveAdapters ?? noAdapters(spec.id))(weights, folder),
  };
}
