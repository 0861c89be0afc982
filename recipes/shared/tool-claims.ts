const because = "three points of accuracy pay for one call in seven";

/** Fewer calls at no lower accuracy, on the testbed of tools. `paper` is the paper's own result. */
export const fewerCalls = (paper: string) => ({
  kind: "joint" as const,
  of: [
    { metric: "term/calls", smallest: 0.15, because },
    { kind: "no-worse" as const, metric: "accuracy", margin: 0.03, because },
  ],
  because: "fewer calls alone are no merit",
  paper,
});
