import { printable } from "../printable.ts";
import type { Run } from "../run.ts";
import type { Files } from "./files.ts";

/** Options of a run directory. */
export interface DirectoryOptions {
  /** Checkpoints to keep, beside the best one. More go back further and take more space (1 to 10). */
  readonly keep?: number;
  /** Whether to write TensorBoard event files too. */
  readonly tensorboard?: boolean;
  /** Called with warnings about damage. */
  readonly warn?: (message: string) => void;
  /** The disk; tests pass one that fails. */
  readonly files?: Files;
}

/** Prints a warning. Warnings quote the content of files. */
export const warnPlainly = (message: string): void => console.warn(printable(message));

/** Agents that a directory stores beside its checkpoints: the last one, and the best evaluated one. */
export type StoredAgent = "last" | "best";

/** The part of a run that a checkpoint needs; every {@link Run} has it. */
export type Keepable = Pick<Run, "steps" | "metrics" | "save"> & {
  readonly options: {
    readonly algorithm: { readonly name: string };
    readonly env: { readonly spec: { readonly id: string } };
  };
};
