/** `@reins/nn`: layers, sequence models, distributions, initialisers, optimisers and safetensors. */
export { parameterCount } from "./count.ts";
export type { Distribution } from "./distributions/distribution.ts";
/** Distributions over actions and values: samples, log-probabilities, entropies. */
export * as distributions from "./distributions/index.ts";
export { NnError } from "./errors.ts";
export * from "./former-names.ts";
export type { Initialiser } from "./init/index.ts";
/** Initialisers of weights. */
export * as init from "./init/index.ts";
export type {
  Layer,
  LayerContext,
  Recurrent,
  RecurrentStep,
  StatefulLayer,
  TrackingResult,
} from "./layer.ts";
export { type Activation, activation } from "./layers/activation.ts";
export { type AdapterParams, type ColumnAdapters, mergeAdapters } from "./layers/adapters.ts";
export {
  type Attention,
  type AttentionCallOptions,
  type AttentionLayerOptions,
  type AttentionParams,
  type AttentionStepOptions,
  attention,
} from "./layers/attention.ts";
export {
  type BatchNormOptions,
  type BatchNormParams,
  type BatchNormStatistics,
  batchNorm,
} from "./layers/batch-norm.ts";
export {
  type BlockOptions,
  type BlockParams,
  type TransformerBlock,
  transformerBlock,
} from "./layers/block.ts";
export { cacheMask, emptyCache, type KvCache, positionIds, writeCache } from "./layers/cache.ts";
export { type ConvLayerOptions, type ConvParams, conv1d, conv2d } from "./layers/conv.ts";
export { dropout } from "./layers/dropout.ts";
export { type EmbeddingOptions, type EmbeddingParams, embedding } from "./layers/embedding.ts";
export { type FeedForwardOptions, type FeedForwardParams, feedForward } from "./layers/feedforward.ts";
export { type FfmOptions, type FfmParams, type FfmState, ffm, ffmCell } from "./layers/ffm.ts";
export { type GatedResidual, type GateParams, gruGate } from "./layers/gate.ts";
export { type GruParams, gru, gruCell, type RecurrentOptions } from "./layers/gru.ts";
export { type LinearOptions, type LinearParams, linear } from "./layers/linear.ts";
export { type LstmOptions, type LstmParams, type LstmState, lstm, lstmCell } from "./layers/lstm.ts";
export { type MinGruOptions, type MinGruParams, minGru, minGruCell } from "./layers/min-gru.ts";
export { type LayerNormParams, layerNorm, type RmsNormParams, rmsNorm } from "./layers/norm.ts";
export { type PoolingKind, type PoolingOptions, pooling, type TokenSet } from "./layers/pooling.ts";
export { type RationalParams, rational } from "./layers/rational.ts";
export {
  type ChunkAttention,
  type ChunkAttentionOptions,
  type ChunkAttentionParams,
  type ChunkCache,
  chunkAttention,
} from "./layers/recall.ts";
export { type RecurrentCell, recurrent, resetRows, stackRecurrent } from "./layers/recurrent.ts";
export { type RotaryOptions, rotary, rotaryFrequencies } from "./layers/rotary.ts";
export { type RunningNormStatistics, runningNorm } from "./layers/running-norm.ts";
export { type SequentialParams, sequential } from "./layers/sequential.ts";
export { statefulEnsemble, statefulSequential } from "./layers/tracking.ts";
export { type EnsembleOptions, ensemble, stackTrees, unstackMember } from "./models/ensemble.ts";
export {
  type Gpt,
  type GptApplyOptions,
  type GptOptions,
  type GptParams,
  type GptState,
  type GptStepOptions,
  gpt,
  type TokenEmbeddings,
} from "./models/gpt.ts";
export { type ImpalaCnnOptions, type ImpalaCnnParams, impalaCnn } from "./models/impala.ts";
export { type MlpOptions, type MlpParams, mlp } from "./models/mlp.ts";
export { type NatureCnnOptions, type NatureCnnParams, natureCnn } from "./models/nature.ts";
export type { ImageShape } from "./models/pixels.ts";
export { type RationalMlpOptions, type RationalMlpParams, rationalMlp } from "./models/rational-mlp.ts";
export {
  type RecurrentEncoderOptions,
  type RecurrentEncoderParams,
  recurrentEncoder,
} from "./models/recurrent.ts";
export { type SetEncoderOptions, type SetEncoderParams, setEncoder } from "./models/set-encoder.ts";
export {
  type TransformerEncoderOptions,
  type TransformerEncoderParams,
  type TransformerState,
  transformerEncoder,
} from "./models/transformer.ts";
export { activeFraction, hiddenActivations } from "./models/units.ts";
export { type LatentDistribution, latentKl, type VaeOptions, type VaeParams, vae } from "./models/vae.ts";
export { fillTree, flattenNames, unflattenNames } from "./names.ts";
export * from "./optimisers/index.ts";
/** Learning-rate schedules as functions of the optimiser's step. */
export * as schedules from "./optimisers/schedules.ts";
export { prune, sparsity } from "./prune.ts";
export { type AwaitedTensor, type DeferredTensor, materialise } from "./safetensors/deferred-tensor.ts";
export {
  loadSafetensors,
  loadSharded,
  openSharded,
  parseIndex,
  saveSafetensors,
} from "./safetensors/files.ts";
export { safetensorsFromBytes } from "./safetensors/memory.ts";
export { openSafetensors, type TensorReader } from "./safetensors/open.ts";
export type { MatrixPlacement } from "./safetensors/place.ts";
export {
  type ReadOptions,
  readSafetensors,
  type Safetensors,
  writeSafetensors,
} from "./safetensors/safetensors.ts";
export { symexp, symexpBins, symlog, twoHot, twoHotLoss, twoHotMean } from "./two-hot.ts";
