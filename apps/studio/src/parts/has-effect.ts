type Options = Readonly<Record<string, unknown>>;

/** Settings whose term is left out of the compiled update if they start at 0: changing them later has no effect. */
const atZero = ["klWeight", "clipHigh", "bandWeight", "correction", "lengthWeight", "formWeight", "hint"];

/** Settings that have an effect only where another option is on. */
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
  // With one update a batch, importance ratios are all 1 and nothing is clipped.
  if (name === "clip") return options.epochs !== 1 || (options.minibatches ?? 1) !== 1;
  return true;
}
