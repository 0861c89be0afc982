/** `@reins/language`: language models as policies, and language tasks. */

export {
  type ChatFormat,
  canEncode,
  plainFormat,
  type RenderedPrompt,
  templateFormat,
  textWithSpecials,
} from "./chat/chat-format.ts";
export { ConversationContext, type ConversationSegment } from "./chat/context.ts";
export { type ChatRendering, renderingFor } from "./chat/rendering.ts";
export { type DiffusionPolicyOptions, diffusionPolicy } from "./diffusion-policy.ts";
export {
  type EncodedText,
  type ExampleEncoder,
  type ExampleEncoderOptions,
  exampleEncoder,
} from "./examples/encoder.ts";
export {
  type CompletionExample,
  type ConversationExample,
  type DocumentExample,
  type Example,
  type ExampleText,
  exampleKinds,
  type LabelledExample,
  type PreferenceExample,
  type RankingExample,
  type StepsExample,
} from "./examples/example.ts";
export { examplesFrom, openExamples } from "./examples/file.ts";
export { exampleIn } from "./examples/format.ts";
export { type ExampleFault, type ExampleSurvey, surveyExamples } from "./examples/survey.ts";
export { type Truncation, truncations } from "./examples/truncation.ts";
export * from "./former-names.ts";
/** OpenAI-compatible HTTP APIs in front of the model in training. */
export * as gateway from "./gateway/index.ts";
/** Constrained decoding: choices, regular expressions, grammars, JSON Schema. */
export * as constraints from "./generation/constraints/index.ts";
export { Generation, TextGenerator } from "./generation/generator.ts";
export { LiveGenerator, type LiveOptions } from "./generation/live.ts";
export type { GeneratorOptions } from "./generation/options.ts";
export {
  type RequestSampling,
  type RowSettings,
  type Sampling,
  type SamplingInputs,
  sample,
  samplingLogits,
} from "./generation/sampling.ts";
export type { Constraint, Generated, Request } from "./generation/sequence.ts";
export { type GenerateOptions, Slot, type SlotProvider } from "./generation/slot.ts";
export type { Span } from "./generation/span.ts";
export { stopAt } from "./generation/stop.ts";
export { type MergeOptions, mergeModels } from "./merge/merge-models.ts";
export { type MergeMethod, mergeMethods } from "./merge/methods.ts";
export { loadAdapters, saveAdapters } from "./models/adapters.ts";
export { optionsFromConfig } from "./models/config.ts";
export {
  type Decoded,
  type DecodeOptions,
  type DiffusionOptions,
  decodingRounds,
  type MaskedDiffusion,
  maskedDiffusion,
} from "./models/diffusion.ts";
export { endTokens } from "./models/end-tokens.ts";
export { checkAdapterFolder, checkModelFolder, loadModel, modelContext, saveModel } from "./models/folder.ts";
export type { HubConfig } from "./models/hub-config.ts";
export { type ImagePatches, imagePatches, type RasterImage } from "./models/images.ts";
export { type LanguageModel, newModel } from "./models/language-model.ts";
export { type LoraModel, lora, mergeModelAdapters } from "./models/lora.ts";
export { loraTargets } from "./models/lora-modules.ts";
export type { LoraOptions, LoraSettings } from "./models/lora-options.ts";
export { type ModelFiles, modelFiles, modelFrom } from "./models/model-files.ts";
export { configFromOptions } from "./models/own-config.ts";
export { loadPatches } from "./models/patch-files.ts";
export {
  cutPatches,
  type ImageApplyOptions,
  type ImageGpt,
  type ImageModel,
  type ImageParams,
  type PatchBatch,
  type PatchOptions,
  patchPositions,
  withPatches,
} from "./models/patches.ts";
export { isRewardFolder, loadReward, saveReward } from "./models/reward-folder.ts";
export {
  type RewardHeadOptions,
  type RewardModel,
  type RewardParams,
  rewardHead,
} from "./models/reward-model.ts";
export { type SpecialTokens, saveGeneration } from "./models/special-tokens.ts";
export { tokenizerFiles } from "./models/tokenizer-files.ts";
export {
  type ConversationEpisode,
  type ConversationResult,
  conversationEpisode,
} from "./multi-turn/conversation-episode.ts";
export { ConversationHarness } from "./multi-turn/conversation-harness.ts";
export {
  type ConversationLine,
  type ConversationLinesOptions,
  conversationLines,
} from "./multi-turn/conversation-lines.ts";
export {
  conversationResult,
  conversationVerdict,
  conversationVerifier,
} from "./multi-turn/conversation-verifier.ts";
export { Conversations } from "./multi-turn/conversations.ts";
export { converse, runToEnd } from "./multi-turn/converse.ts";
export { Dialogue } from "./multi-turn/dialogue.ts";
export { multiTurnTasks } from "./multi-turn/environments/registry.ts";
export { expertConversation } from "./multi-turn/expert-conversation.ts";
export { ExpertConversations } from "./multi-turn/expert-conversations.ts";
export type { Harness, RolloutOptions, ServedWeights } from "./multi-turn/harness.ts";
export { playerOf } from "./multi-turn/players.ts";
export { multiPolicy } from "./multi-turn/roles-policy.ts";
export type {
  Conversation,
  ConversationRollout,
  ConversationView,
  ConverseOptions,
  Speaker,
  Speakers,
  SpokenTurn,
} from "./multi-turn/speaker.ts";
export { modelSpeaker, scriptedSpeaker } from "./multi-turn/speakers.ts";
export { transcript } from "./multi-turn/transcript.ts";
export { type LanguagePolicyOptions, type LanguageWeights, languagePolicy } from "./policy.ts";
export { type RewardPolicyOptions, rewardPolicy } from "./reward-policy.ts";
export {
  type AggregationOptions,
  aggregations,
  aggregator,
  type RewardAggregation,
} from "./rewards/aggregation.ts";
/** Judges of completions that are models: reward models. */
export * as judges from "./rewards/judges.ts";
export { pairMeasures, type ScoredPair } from "./rewards/pair-measures.ts";
export type { RewardJudge } from "./rewards/reward-judge.ts";
export {
  loadRewardModel,
  type RewardMember,
  RewardScorer,
  type RewardScorerOptions,
  type RewardText,
  type TextReward,
} from "./rewards/reward-scorer.ts";
export {
  answerMeasures,
  calibrationError,
  majorityRight,
  passAt,
  type SampledAnswer,
} from "./rollouts/answer-measures.ts";
export { Answers, generatorFor } from "./rollouts/answers.ts";
export { type BranchesOptions, branches } from "./rollouts/branches.ts";
export { exampleOf } from "./rollouts/examples.ts";
export { type ImageObservation, type Prompt, promptOf } from "./rollouts/prompt.ts";
export type { TextStageOptions } from "./rollouts/stage-options.ts";
export { problemOf } from "./rollouts/task-problem.ts";
export {
  type AnswerResult,
  answerOf,
  type TextEpisode,
  textEpisode,
} from "./rollouts/text-episode.ts";
export type { Fork } from "./rollouts/tree.ts";
export { type VerifierOptions, verdictsOf, verifier } from "./rollouts/verifier.ts";
/** Sandboxes for code that a model wrote: JavaScript, Python, SQL, JSON Schema, linear programs. */
export * as sandboxes from "./sandboxes/index.ts";
export type { Sandbox, SandboxLimits, SandboxOutcome, Status } from "./sandboxes/sandbox.ts";
export { type ExampleStageOptions, exampleStage, examplesTask } from "./stage/example-stage.ts";
export { type RewardStageOptions, rewardStage } from "./stage/reward-stage.ts";
export { textStage } from "./stage/stage.ts";
export { arithmetic } from "./tasks/arithmetic.ts";
export { type Dataset, type DatasetLine, type DatasetOptions, dataset } from "./tasks/dataset.ts";
export { digitSums, overthoughtSums, workedDigitSums } from "./tasks/digit-sums.ts";
export { episodeOf, isMultiTurn, type ResolvedEpisode } from "./tasks/episode.ts";
export { family, requireTask } from "./tasks/former-names.ts";
export { type AnswerJudge, type JudgeOption, type JudgeResult, withJudge } from "./tasks/judge.ts";
export {
  answerLimit,
  type ContextLengthOptions,
  contextLength,
  longestConversation,
} from "./tasks/lengths.ts";
export { letters } from "./tasks/letters.ts";
export { textTasks } from "./tasks/registry.ts";
export { type Split, sampleProblem, splitOf } from "./tasks/sample-problem.ts";
export { type StepsOptions, withSteps } from "./tasks/solution-steps.ts";
export {
  type AgentAccess,
  type AgentRun,
  type Belief,
  type Candidate,
  type ConversationState,
  type EnvironmentReply,
  type MultiTurn,
  type Problem,
  type Role,
  type ScriptedPlayer,
  type TextTask,
  textTask,
  type Verification,
} from "./tasks/text-task.ts";
export { totals } from "./tasks/totals.ts";
export { characterFiles, saveCharacters } from "./tokenizers/character-files.ts";
export { characters } from "./tokenizers/characters.ts";
export { chatMl, type RenderOptions, renderChat } from "./tokenizers/chat.ts";
export { type ConversationEncoder, conversationEncoder } from "./tokenizers/conversation-encoder.ts";
export { type HubTokenizer, hubTokenizer, loadTokenizer } from "./tokenizers/hub.ts";
export { type Call, type Message, transcriptTemplate } from "./tokenizers/message.ts";
export { type BpeMerges, byteLevelBpe, trainBpe } from "./tokenizers/pairs.ts";
export { type PromptEncoderOptions, promptEncoder } from "./tokenizers/prompt-encoder.ts";
export type { Tokenizer } from "./tokenizers/tokenizer.ts";
export { type CallFormat, type ParsedTurn, tagged } from "./tools/call-format.ts";
/** Tools that models may call. */
export * as tools from "./tools/index.ts";
export { type CallContext, type CallResult, type CallStatus, runCalls } from "./tools/run-calls.ts";
export type { ArgumentsOf, ToolSchema, ValueOf } from "./tools/schema-types.ts";
export { terse } from "./tools/terse-format.ts";
export { type Tool, type ToolContext, tool } from "./tools/tool.ts";
