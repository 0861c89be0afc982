import type { Definition, Variant, VariantOptions } from "./definition.ts";
import { describeValue, fail } from "./errors.ts";
import { checkNames, type OptionTable } from "./option.ts";
import { checkPartNames } from "./part-names.ts";

/** The definition of a variant. */
export function varied<T extends OptionTable, P>(
  definition: Definition<T, P>,
  name: string,
  variant: Variant<T, P>,
): Definition<T, P> {
  const own: VariantOptions<T, P> = variant;
  const {
    summary,
    options = {},
    parts: change,
    begin,
    paper,
    learnsFrom,
    start,
    episodes,
    stability,
    ...rest
  } = own;
  if (change !== undefined && typeof change !== "function")
    fail(
      name,
      `parts is ${describeValue(change)}; it must be a function of the method's parts: parts: (parts, options, context) => ({ loss }). A part with a fixed value is given by its name: { loss }.`,
    );
  const replaced = rest as Partial<P>;
  checkNames(name, options, definition.options);
  const values = Object.entries(options).map(([k, value]) => [
    k,
    { ...definition.options[k], default: value },
  ]);
  const names = [...Object.keys(replaced), ...(change ? ["parts"] : []), ...(begin ? ["begin"] : [])];
  const out: Definition<T, P> = {
    ...definition,
    ...given({ paper, learnsFrom, start, episodes, begin, stability }),
    name,
    summary: summary ?? `As ${definition.name}${names.length ? `, with its own ${names.join(", ")}` : ""}.`,
    options: { ...definition.options, ...Object.fromEntries(values) },
  };
  if (names.length === 0) return out;
  const { parts } = definition;
  if (!parts)
    return fail(
      name,
      `${definition.name} does not expose its parts, so ${names.join(", ")} cannot be replaced. Give the variant its own start.`,
    );
  return {
    ...out,
    parts(o, context, variantName) {
      const method = parts(o, context, variantName);
      const all = { ...method, ...replaced };
      const changed = { ...all, ...change?.(all, o, context) };
      checkPartNames(variantName, changed, { method, options: o, loop: out.begin });
      return changed;
    },
    // On whole episodes the method has other parts: the replacements would have no effect there.
    ...(definition.episodes && !episodes && !learnsFrom ? { learnsFrom: "steps", episodes: undefined } : {}),
  };
}

/** Drops undefined values, which would hide the method's own. */
const given = <O extends object>(options: O): Partial<O> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<O>;
