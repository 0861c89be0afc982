type Options = Readonly<Record<string, unknown>>;

/** Settings whose part of an algorithm is left out where they are 0 in the beginning: to move them later does nothing. */
const atZero = ["klWeight", "clipHigh", "bandWeight", "correction", "lengthWeight", "formWeight", "hint"];

/** Settings of a part that another option switches on. */
const partOf: Readonly<Record<string, string>> = {
  bandCentre: "bandWeight",
  bandWidth: "bandWeight",
  popArtRate: "popArt",
  imitationWeight: "selfImitation",
  imitationValueWeight: "selfImitation",
};

/** Whether a setting changes anything, with these options. */
export function hasEffect(name: string, options: Options): boolean {
  if (atZero.includes(name)) return options[name] !== 0;
  if (name in partOf) return Boolean(options[partOf[name]]);
  if (name === "turnDiscount") return options.credit === "turn";
  // The policy cannot have moved away from itself before the only update of a batch.
  if (name === "clip") return options.epochs !== 1 || (options.minibatches ?? 1) !== 1;
  return true;
}
