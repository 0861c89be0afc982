export { type Bernoulli, type BernoulliOptions, bernoulli } from "./bernoulli.ts";
export { type Beta, type BetaOptions, beta } from "./beta.ts";
export { type Categorical, type CategoricalOptions, categorical } from "./categorical.ts";
export { type Dirichlet, type DirichletOptions, dirichlet } from "./dirichlet.ts";
export type { Distribution } from "./distribution.ts";
export { type Gamma, type GammaOptions, gamma } from "./gamma.ts";
export { type Joint, joint } from "./joint.ts";
export { type Mixture, type MixtureOptions, mixture } from "./mixture.ts";
export {
  type MultiCategorical,
  type MultiCategoricalOptions,
  multiCategorical,
} from "./multi-categorical.ts";
export { type Normal, type NormalOptions, normal } from "./normal.ts";
export { type TanhNormal, type TanhNormalOptions, tanhNormal } from "./tanh-normal.ts";
