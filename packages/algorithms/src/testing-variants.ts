import { algorithms } from "./registry.ts";

/** Whether an algorithm differs from an earlier one of the registry in the defaults of its options alone. */
export function isVariant(name: string): boolean {
  const { parts } = algorithms[name].definition;
  const first = Object.keys(algorithms).find((other) => algorithms[other].definition.parts === parts);
  return parts !== undefined && first !== name;
}

/** The tags of a test that runs for every algorithm: variants are tested by `npm run test:all`. */
export const variantTags = (name: string): string[] => (isVariant(name) ? ["slow"] : []);
