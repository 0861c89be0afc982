/** Options that have been renamed: the name before and now. `hold` named two things, which have values of different types. */
const renamed: { readonly [before: string]: (value: unknown) => string } = {
  plays: () => "groupSize",
  hold: (value) => (typeof value === "string" ? "ratioBound" : "maxRepeat"),
  formWeight: () => "formatWeight",
  goalFractions: () => "targetFractions",
  dropped: () => "droppedAtoms",
};

/** Stored options under their current names: runs of version 0.1 have the names before. */
export function currentNames(options: { readonly [name: string]: unknown }): { [name: string]: unknown } {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      Object.hasOwn(renamed, name) ? renamed[name](value) : name,
      value,
    ]),
  );
}
