/** `reins/nn`: layers, models, distributions, initialisers, optimisers and safetensors. */
export * from "@reins/nn";
