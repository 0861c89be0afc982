/** `@reins/envs`: environments in columns, by name. */
export { BatchedEnv, type BatchedOptions, type ContextSource } from "./batched.ts";
export {
  type BuiltinId,
  describe,
  type EnvEntry,
  ids,
  type MakeOptions,
  make,
  makeSingle,
  register,
} from "./registry.ts";
