import type { Builder } from "../builder.ts";
import type { Arg, Block } from "../program.ts";

/** Chooses the arguments of a call from what a program has; undefined where nothing fits. */
export type Maker = (b: Builder) => { args: readonly Arg[]; blocks?: readonly Block[] } | undefined;

export const args = (...list: Arg[]) => ({ args: list });
