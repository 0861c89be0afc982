import type * as algorithms from "@reins/algorithms";
import type { AlgorithmMaker } from "@reins/core";

type Makers = typeof algorithms;

/** What each algorithm that comes with Reins may be told. */
type Told = {
  [K in keyof Makers]: Makers[K] extends AlgorithmMaker<infer _T, infer _P>
    ? NonNullable<Parameters<Makers[K]>[0]>
    : never;
}[keyof Makers];

type NameIn<T> = T extends unknown ? keyof T : never;
type ValueOf<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;

/**
 * Settings of an algorithm that is only named. Names that algorithms of Reins have are known with their values; those of your own may have others.
 * Whether this very algorithm has a setting is checked when it is made.
 */
export type NamedSettings = { readonly [K in NameIn<Told>]?: ValueOf<Told, K> } & {
  readonly [option: string]: unknown;
};
