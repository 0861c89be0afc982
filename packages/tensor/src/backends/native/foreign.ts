import { createRequire } from "node:module";
import { BuildError } from "./start.ts";

/**
 * The part of koffi that is used here; koffi is an optional dependency, so its types may be missing too. Types are unchecked only
 * here: the caller states what the C prototype means in TypeScript.
 */
export interface Foreign {
  load(path: string): ForeignLibrary;
  /** The text at an address, up to its zero byte. */
  decode(address: Word, type: "char", length: -1): string;
  /** The numbers at an address. */
  decode(address: Word, type: "uint64_t", length: number): ArrayLike<Word>;
}

export interface ForeignLibrary {
  func<F extends (...args: never[]) => unknown>(prototype: string): F;
}

/** A pointer or a size from C: a bigint if it is too large for a number. */
export type Word = number | bigint;

export function loadForeign(): Foreign {
  try {
    return createRequire(import.meta.url)("koffi") as Foreign;
  } catch (error) {
    throw new BuildError(
      `The native back end needs the package koffi, which could not be loaded: ${(error as Error).message.split("\n")[0]}`,
    );
  }
}
