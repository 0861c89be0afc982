/** Names of the columns that the steps of a vector environment write, in a fixed order; some are optional. */
export const columnNames = [
  "observation",
  "final",
  "reward",
  "terminated",
  "truncated",
  "mask",
  "finalMask",
  "alive",
  "begins",
  "global",
  "finalGlobal",
] as const;
