/** `@reins/algorithms`: one file per algorithm. */
export { a2c } from "./a2c.ts";
export { adaptiveDqn, adaptivePpo, penaltyPpo } from "./adaptive.ts";
export * from "./advice.ts";
export { ars, type RandomSearchOptions, randomSearch } from "./ars.ts";
export * from "./bandits/regret.ts";
export { c51 } from "./c51.ts";
export { type CrossEntropyOptions, cem, crossEntropy } from "./cem.ts";
export { cispo } from "./cispo.ts";
export * from "./classification/index.ts";
export { cmaEs } from "./cma-es.ts";
export { crossq } from "./crossq.ts";
export { dapo } from "./dapo.ts";
export { ddpg } from "./ddpg.ts";
export { distill } from "./distill.ts";
export { type DqnReplacements, type DqnSettings, dqn, dqnParts } from "./dqn.ts";
export { drGrpo } from "./dr-grpo.ts";
export { droq } from "./droq.ts";
export { eauDeQn } from "./eau-de-qn.ts";
export { epsilonGreedy } from "./epsilon-greedy.ts";
export { type EvolutionStrategyOptions, es, evolutionStrategy } from "./es.ts";
export * from "./evolution/index.ts";
export * from "./former-names.ts";
export { gradientBandit } from "./gradient-bandit.ts";
export { groupedDqn } from "./grouped-dqn.ts";
export { groupParts, grpo } from "./grpo.ts";
export { gspo } from "./gspo.ts";
export { type Augmentation, withAugmentation } from "./images/augment.ts";
export { cutout, randomColor, randomShift, sequential } from "./images/augmentations.ts";
export {
  type AuxiliaryInputs,
  type AuxiliaryOptions,
  contrastive,
  type ImageAuxiliary,
  reconstruction,
  selfPrediction,
} from "./images/auxiliary.ts";
export type { AuxiliaryTraining } from "./images/auxiliary-training.ts";
export {
  type DecorrelationOptions,
  decorrelationWeights,
  featureDecorrelation,
} from "./images/decorrelation.ts";
export { type SaliencyOptions, saliencyGuided } from "./images/saliency.ts";
export { impala } from "./impala.ts";
export { iqn } from "./iqn.ts";
export { LevelAssignment, type LevelGrid, type LevelScoring } from "./levels/level-assignment.ts";
export { LevelReplay, type LevelReplayOptions } from "./levels/level-replay.ts";
export type { AssignedLevel, LevelTeacher } from "./levels/level-teacher.ts";
export {
  fitRowAutoencoder,
  type RowAutoencoder,
  type RowAutoencoderOptions,
} from "./levels/row-model.ts";
export { linucb } from "./linucb.ts";
export { mrQ } from "./mr-q.ts";
export { munchausenDqn } from "./munchausen-dqn.ts";
export { offlineDqn } from "./offline-dqn.ts";
export * from "./optimism.ts";
export { advantages } from "./post-training/advantages.ts";
export { type EntropyAdvantage, entropyAdvantage } from "./post-training/entropy-advantage.ts";
export { groupLoss } from "./post-training/loss.ts";
export { options as groupOptions, type Settings as GroupSettings } from "./post-training/options.ts";
export { groupJudge, groupProblems, groupSelection } from "./post-training/problems.ts";
export { ppg } from "./ppg.ts";
export { type PpoSettings, ppo, ppoLoss, ppoParts } from "./ppo.ts";
export { pqn } from "./pqn.ts";
export * from "./preference/index.ts";
export type { BootstrapInputs, QBootstrap } from "./q/bootstrap.ts";
export type { LinearFeatures } from "./q/critics.ts";
export { type DistillationOptions, type DistillationState, prunedEnsemble } from "./q/distillation.ts";
export {
  type MappedFormOptions,
  mappedForm,
  type TensorMapping,
  tensorMappings,
} from "./q/mapped-form.ts";
export { type QNetworkOptions, type QParams, qNetwork } from "./q/network.ts";
export type { ObservationViews } from "./q/observation-views.ts";
export {
  type QuantileCriticOptions,
  type QuantileCriticWeights,
  quantileCritic,
} from "./q/quantile-critic.ts";
export { type QuantileReplayOptions, quantileReplay } from "./q/quantile-replay.ts";
export type { AuxiliaryLoss, ReplayState } from "./q/replay-learner.ts";
export { bellmanSimilarity, similarity } from "./q/similarity.ts";
export { qrDqn } from "./qr-dqn.ts";
export { type QuantileInformedPpoOptions, quantileInformedPpo } from "./quantile-informed-ppo.ts";
export { r2d2 } from "./r2d2.ts";
export { rainbow } from "./rainbow.ts";
export { redq } from "./redq.ts";
export { type AlgorithmName, algorithms, learnerNames, registerAlgorithm } from "./registry.ts";
export { reinforce } from "./reinforce.ts";
export { reinforcePlusPlus } from "./reinforce-plus-plus.ts";
export { rejection } from "./rejection.ts";
export { remax } from "./remax.ts";
export * from "./reward-model/index.ts";
export { rloo } from "./rloo.ts";
export { sac } from "./sac.ts";
export { type CovarianceAdaptationOptions, covarianceAdaptation } from "./search/covariance-adaptation.ts";
export type { SearchGuide, SearchGuideMaker } from "./search/guide.ts";
export { type PopulationParts, population } from "./search/population.ts";
export { type PolicyRepresentationOptions, policyRepresentation } from "./search/representation.ts";
export { centredRanks, type Moves, type Strategy } from "./search/strategy.ts";
export { sft } from "./sft.ts";
export { simbaSac } from "./simba-sac.ts";
export { type ExplorationResult, type ExploreOptions, exploreTabular } from "./tabular/explore.ts";
export {
  gainsAndLosses,
  MappedValues,
  type MappedValuesOptions,
  type TrainMappedOptions,
  tileCoding,
  trainMappedValues,
  type ValueChannel,
  type ValueMapping,
  valueMappings,
} from "./tabular/mapped-values.ts";
export type { Model, ModelOutcome } from "./tabular/model.ts";
export { OptionExplorer, type OptionExplorerOptions } from "./tabular/option-explorer.ts";
export { QTable, type TabularStep } from "./tabular/q-table.ts";
export { SoftmaxTable, type SoftmaxTableOptions, type TabularEpisodes } from "./tabular/softmax-table.ts";
export {
  type ExplorationStrategy,
  epsilonMixture,
  novelty,
  noveltySeeking,
  repeatedRandom,
  uniformRandom,
} from "./tabular/strategies.ts";
export { tabularQ } from "./tabular-q.ts";
export type { RepresentationPenalty } from "./td3/penalty.ts";
export { type Td3Replacements, td3, td3Parts } from "./td3.ts";
export { thompson } from "./thompson.ts";
export { tqc } from "./tqc.ts";
export { trpo } from "./trpo.ts";
export * from "./tuned-settings/index.ts";
export { ucb } from "./ucb.ts";
export { planner } from "./value-iteration.ts";
