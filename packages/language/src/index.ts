/** `@reins/language`: language models as policies, and language tasks. */

export {
  byTemplate,
  encodes,
  type Heard,
  plainly,
  type Speaking,
  spelled,
} from "./conversation/chat-format.ts";
export { Context, type Scene, type TurnPassage } from "./conversation/context.ts";
export {
  type ConversationEpisode,
  type Conversed,
  conversationEpisode,
} from "./conversation/conversation-episode.ts";
export { LaneHarness } from "./conversation/conversation-harness.ts";
export { type TalkLine, type TalkLinesOptions, talkLines } from "./conversation/conversation-lines.ts";
export { conversedIn, talkVerdict, talkVerifier } from "./conversation/conversation-verifier.ts";
export { Conversations } from "./conversation/conversations.ts";
export { converse, held } from "./conversation/converse.ts";
export { Dialogue } from "./conversation/dialogue.ts";
export { taught } from "./conversation/expert-conversation.ts";
export { Lessons } from "./conversation/expert-conversations.ts";
export type { Harness, PlayHow, ServedWeights } from "./conversation/harness.ts";
export { playerOf } from "./conversation/players.ts";
export { type Telling, tellingOf } from "./conversation/rendering.ts";
export { castPolicy } from "./conversation/roles-policy.ts";
export type {
  Cast,
  Conversation,
  ConverseOptions,
  Played,
  Speaker,
  Utterance,
  View,
} from "./conversation/speaker.ts";
export { modelSpeaker, scriptedSpeaker } from "./conversation/speakers.ts";
export { talkText } from "./conversation/transcript.ts";
export { type DiffusionPolicyOptions, diffusionPolicy } from "./diffusion-policy.ts";
/** OpenAI-compatible HTTP APIs in front of the model in training. */
export * as gateway from "./gateway/index.ts";
/** Constrained decoding: choices, regular expressions, grammars, JSON Schema. */
export * as constraints from "./generation/constraints/index.ts";
export { TextGenerator, Writing } from "./generation/generator.ts";
export { LiveGenerator, type LiveOptions } from "./generation/live.ts";
export type { GeneratorOptions } from "./generation/options.ts";
export {
  type RequestSampling,
  type RowSettings,
  type Sampling,
  type Surroundings,
  sample,
  shaped,
} from "./generation/sampling.ts";
export type { Constraint, Generated, Request } from "./generation/sequence.ts";
export { type Asking, Lane, type Lanes } from "./generation/slot.ts";
export { stopAt } from "./generation/stop.ts";
export { loadAdapters, saveAdapters } from "./models/adapters.ts";
export { optionsOf } from "./models/config.ts";
export {
  type Decoded,
  type DecodeOptions,
  type DiffusionOptions,
  type MaskedDiffusion,
  maskedDiffusion,
  roundsOf,
} from "./models/diffusion.ts";
export { loadModel, saveModel } from "./models/folder.ts";
export { loadReward, type RewardModel, type RewardParams, rewardHead, saveReward } from "./models/heads.ts";
export type { HubConfig } from "./models/hub-config.ts";
export { cutImage, type Image, type Picture } from "./models/images.ts";
export { type LanguageModel, newModel } from "./models/language-model.ts";
export { type LoraModel, lora, merged } from "./models/lora.ts";
export { loraTargets } from "./models/lora-modules.ts";
export type { LoraOptions, LoraSettings } from "./models/lora-options.ts";
export { type ModelFiles, modelFiles, modelFrom } from "./models/model-files.ts";
export { configOf } from "./models/own-config.ts";
export { loadPatches } from "./models/patch-files.ts";
export {
  cutPatches,
  type PatchOptions,
  type PictureApplyOptions,
  type PictureGpt,
  type PictureModel,
  type PictureParams,
  type Pictures,
  patchPlaces,
  withPatches,
} from "./models/patches.ts";
export { type SpecialTokens, saveGeneration } from "./models/special-tokens.ts";
export { type LanguagePolicyOptions, type LanguageWeights, languagePolicy } from "./policy.ts";
export { Answers, generatorFor } from "./rollouts/answers.ts";
export { type BranchesOptions, branches } from "./rollouts/branches.ts";
export { shown } from "./rollouts/examples.ts";
export { type Asked, asked, type Sight } from "./rollouts/prompt.ts";
export { problemOf } from "./rollouts/task-problem.ts";
export {
  type Answered,
  answeredIn,
  type Passage,
  type TextEpisode,
  textEpisode,
} from "./rollouts/text-episode.ts";
export type { Fork } from "./rollouts/tree.ts";
export { type VerifierOptions, verdictsOf, verifier } from "./rollouts/verifier.ts";
/** Sandboxes for code that a model wrote: JavaScript, Python, SQL, JSON Schema, linear programs. */
export * as sandboxes from "./sandboxes/index.ts";
export type { Limits, Sandbox, SandboxOutcome, Status } from "./sandboxes/sandbox.ts";
export { textStage } from "./stage.ts";
export type { TextStageOptions } from "./stage-options.ts";
export { arithmetic } from "./tasks/arithmetic.ts";
export { type Dataset, type DatasetLine, type DatasetOptions, dataset } from "./tasks/dataset.ts";
export { digitSums, overthoughtSums, workedDigitSums } from "./tasks/digit-sums.ts";
export {
  type AgentAccess,
  type Belief,
  type Family,
  family,
  isTalked,
  longestTalk,
  type Problem,
  type Role,
  type ScriptedPlayer,
  type Talk,
  type Talking,
  type Turn,
  usualTurns,
  type Verification,
} from "./tasks/family.ts";
export { type AnswerJudge, type Judged, type Judging, judged } from "./tasks/judge.ts";
export { letters } from "./tasks/letters.ts";
export { families } from "./tasks/registry.ts";
export { draw, type Split, splitOf } from "./tasks/sample-problem.ts";
export { totals } from "./tasks/totals.ts";
export { type WorkedOptions, worked } from "./tasks/worked-answers.ts";
export { characterFiles, saveCharacters } from "./tokenizers/character-files.ts";
export { characters } from "./tokenizers/characters.ts";
export { chatMl, type RenderOptions, renderChat } from "./tokenizers/chat.ts";
export { type Conversing, conversing } from "./tokenizers/conversation-encoder.ts";
export { type HubTokenizer, hubTokenizer, loadTokenizer } from "./tokenizers/hub.ts";
export type { Call, Message } from "./tokenizers/message.ts";
export { bytePairs, learnPairs, type Merges } from "./tokenizers/pairs.ts";
export { type AskingOptions, asking } from "./tokenizers/prompt-encoder.ts";
export type { Tokenizer } from "./tokenizers/tokenizer.ts";
export { type CallFormat, type Parsed, tagged, terse } from "./tools/call-format.ts";
/** Tools that models may call. */
export * as tools from "./tools/index.ts";
export { type CallStatus, type Carried, type Carrying, runCalls } from "./tools/run-calls.ts";
export type { ArgumentsOf, ToolSchema, ValueOf } from "./tools/schema-types.ts";
export { type Tool, type ToolContext, tool } from "./tools/tool.ts";
export { worlds } from "./worlds/registry.ts";
