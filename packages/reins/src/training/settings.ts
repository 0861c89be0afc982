import type * as algorithms from "@reins/algorithms";
import type { AlgorithmMaker } from "@reins/core";

type Makers = typeof algorithms;

/** Options of each algorithm of Reins. */
type Told = {
  [K in keyof Makers]: Makers[K] extends AlgorithmMaker<infer _T, infer _P>
    ? NonNullable<Parameters<Makers[K]>[0]>
    : never;
}[keyof Makers];

type NameIn<T> = T extends unknown ? keyof T : never;
type ValueOf<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;

/**
 * Settings of an algorithm by name. Options of Reins' algorithms are typed; custom algorithms may have others.
 * Whether the algorithm has a setting is checked when it is created.
 */
export type NamedSettings = { readonly [K in NameIn<Told>]?: ValueOf<Told, K> } & {
  readonly [option: string]: unknown;
};
