/** `@reins/core/forms`: forms of environments: vectorised, single, multi-agent, traced; goals and checks. */

export type { TracedColumns, TracedRows, TracedStep } from "../env.ts";
export { checkEnvironment, requireSteps } from "../environment.ts";
export { requireSynchronous } from "../forms/async-answers.ts";
export { columnNames } from "../forms/column-names.ts";
export { copyOf, copyTree } from "../forms/copy.ts";
export { mergeSnapshots, splitSnapshot } from "../forms/copy-snapshots.ts";
export { vectoriseMulti } from "../forms/multi.ts";
export { openLoop } from "../forms/open-loop.ts";
export { rowSeeds } from "../forms/row-seeds.ts";
export { Rows } from "../forms/rows.ts";
export { single } from "../forms/single.ts";
export { fromTraced } from "../forms/traced-vector.ts";
export { type Unrolled, type UnrollOptions, unroll } from "../forms/unroll.ts";
export { vectorise } from "../forms/vectorise.ts";
export { goalReached, goalReward, goalRewardFor, goalSize } from "../goals.ts";
