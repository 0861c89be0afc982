/** Learning from labels: what is tuned where hyperparameters are an agent's choice. */
export { type ClassifierWeights, classifier } from "./classifier.ts";
export { type ClustersOptions, clusters, type Examples, examplesSource, type Labelled } from "./clusters.ts";
export { drop } from "./drop.ts";
