import { ReinsError, type Run } from "@reins/core";
import type { RunDirectory, StoredAgent } from "@reins/core/directory";
import { printable } from "@reins/core/errors";
import { writeAgent } from "../agents/agent-file.ts";
import { writeLanguageWeights } from "../agents/language-file.ts";
import { contentOf } from "../agents/run-content.ts";
import { isLanguageRun } from "./samples.ts";

/** Milliseconds after which the agent is written in any case. */
const maxAge = 5 * 60_000;

/** Writes the agents of a run to files beside its checkpoints. */
export class AgentWriter {
  private readonly run: Run;
  private readonly directory: RunDirectory;
  /** Whether the run has checkpoints. Without them the agent file holds the training state. */
  private readonly savable: boolean;
  /** Whether the agent can be written to a file. */
  private enabled: boolean;
  private writtenAt = performance.now();

  constructor(run: Run, directory: RunDirectory, options: { savable: boolean; enabled: boolean }) {
    this.run = run;
    this.directory = directory;
    this.savable = options.savable;
    this.enabled = options.enabled && run.process.acting !== undefined;
  }

  /** Whether the last agent was written more than five minutes ago. */
  get isOld(): boolean {
    return performance.now() - this.writtenAt > maxAge;
  }

  /** Writes the current agent. Warns once if its policy cannot be written. */
  write(which: StoredAgent): void {
    // The last agent of a language run is in its checkpoint, which is large enough.
    if (!this.enabled || (which === "last" && isLanguageRun(this.run))) return;
    this.writtenAt = performance.now();
    let bytes: Uint8Array;
    try {
      bytes = this.bytes();
    } catch (error) {
      if (!(error instanceof ReinsError)) throw error;
      this.enabled = false;
      const { path } = this.directory;
      console.warn(printable(`${path}: no agent is saved beside the checkpoints. ${error.message}`));
      return;
    }
    this.directory.keepAgent(which, bytes);
  }

  /**
   * Writes the agent of a crashed run with its training state: no checkpoint can be made in the middle of a round, and there may be no
   * earlier one. Weights that are NaN do not replace saved ones.
   */
  writeAfterCrash(): void {
    const { run } = this;
    if (!this.enabled || run.rounds === 0) return;
    const content = contentOf(run, true);
    const finite = [...content.policy.tensors.values()].every((t) => t.data.every(Number.isFinite));
    if (finite) this.directory.keepAgent("last", writeAgent(content));
  }

  private bytes(): Uint8Array {
    const { run, savable } = this;
    const { process, steps, options } = run;
    if (isLanguageRun(run) && process.acting)
      return writeLanguageWeights(process.acting.weights, { algorithm: options.algorithm.name, steps });
    return writeAgent(contentOf(run, !savable));
  }
}
