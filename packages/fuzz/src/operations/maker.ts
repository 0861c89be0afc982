import type { Builder } from "../builder.ts";
import type { Arg, Block } from "../program.ts";

/** Chooses the arguments of a call from the values of a program; undefined if none match. */
export type Maker = (b: Builder) => { args: readonly Arg[]; blocks?: readonly Block[] } | undefined;

export const args = (...list: Arg[]) => ({ args: list });
