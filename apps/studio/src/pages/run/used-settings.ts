type Options = Readonly<Record<string, unknown>>;

/** Settings of networks and environment steps, which have no effect for language models. */
const ofEnvironments = new Set([
  ...["hidden", "activation", "encoder", "network", "shared", "continuous", "logStd"],
  ...["noise", "noiseSteps", "noiseMemory", "steps", "discounts", "discountWeights", "values"],
  ...["popArt", "popArtRate", "selfImitation", "imitationBatch", "imitationCapacity"],
  ...["imitationWeight", "imitationValueWeight"],
  ...[
    "memory",
    "units",
    "memoryLayers",
    "memorySteps",
    "memoryHeads",
    "memoryChunk",
    "memoryRecall",
    "memoryJoin",
  ],
]);

/** Settings that have an effect only if another one is on. */
const needs: Readonly<Record<string, string>> = {
  ...{ kl: "klWeight", klPlace: "klWeight", lengthBy: "lengthWeight" },
  ...{ bandCentre: "bandWeight", bandWidth: "bandWeight", popArtRate: "popArt" },
  ...{ imitationBatch: "selfImitation", imitationCapacity: "selfImitation" },
  ...{ imitationWeight: "selfImitation", imitationValueWeight: "selfImitation" },
};

/** Whether a setting has an effect with these options. `isText`: the run trains a language model. */
export function isUsed(name: string, options: Options, isText: boolean): boolean {
  if (isText && ofEnvironments.has(name)) return false;
  if (name in needs && needs[name] in options) return Boolean(options[needs[name]]);
  if (name === "turnDiscount") return options.credit === "turn";
  return true;
}
