/** `reins/tuning`: the model that `reins tune` fits to its trials. */
export { fitGaussianProcess, GaussianProcess } from "../tuning/gaussian-process.ts";
