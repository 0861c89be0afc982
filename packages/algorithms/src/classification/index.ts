/** Supervised classification, for tuning hyperparameters by an agent. */
export { type ClassifierWeights, classifier } from "./classifier.ts";
export { type ClustersOptions, clusters, type Examples, examplesSource, type Labelled } from "./clusters.ts";
export { drop } from "./dropout.ts";
