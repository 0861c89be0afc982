import type { Done } from "./job.ts";
import type { Cell, Contest } from "./plan.ts";

/** The result of a comparison, with the chosen learning rate. */
export interface Measured {
  readonly contest: Contest;
  readonly learningRate: number;
  readonly runs: readonly Done[];
}

/** All results. */
export interface WordsOutcome {
  readonly machine: string;
  readonly tasks: readonly Measured[];
  readonly methods: readonly Measured[];
  readonly grid: readonly (Measured & { readonly cell: Cell })[];
}

export const mean = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0) / all.length;
export const last = ({ curve }: Done): number => curve[curve.length - 1];
