/** `@reins/core/losses`: terms of a loss, which are summed: policy gradients, value errors, entropy, imitation. */
export * from "../losses/index.ts";
export type { TeacherComparison } from "../stage.ts";
