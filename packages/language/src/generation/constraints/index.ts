export { Automaton, type AutomatonOptions } from "./automaton.ts";
export { bytesOf, grammar, matching, oneOf, type SchemaOptions, schema } from "./constraint.ts";
export { expression } from "./expression.ts";
export type { JsonSchema } from "./keywords.ts";
export { dead } from "./product.ts";
export { schemaTree } from "./schema.ts";
export {
  among,
  anyCharacter,
  both,
  either,
  except,
  optional,
  repeat,
  rule,
  sequence,
  type Tree,
  text,
} from "./tree.ts";
