import {
  box,
  discrete,
  type EnvSpec,
  type Episode,
  type EpisodeSource,
  type Saved,
  type Snapshot,
} from "@reins/core";
import { Actor, type EpisodeRecorder, type EpisodeRolloutOptions } from "@reins/core/loops";
import { type Tensor, tensor, zeros } from "@reins/tensor";

/** A tiny language: words of three letters out of four; the policy observes the prefix. */
export const letters = 4;
export const length = 3;
export const words: EnvSpec = {
  id: "Words-v0",
  observation: box([length * letters], 0, 1),
  action: discrete(letters),
};

/** The observation after some letters. */
export function seen(prefix: readonly number[]): Float32Array {
  const x = new Float32Array(length * letters);
  prefix.forEach((letter, i) => (x[i * letters + letter] = 1));
  return x;
}

/** Samples letters from a policy, one at a time, into a recorder. */
export class Writer implements Saved {
  private readonly observation = zeros([1, length * letters]);
  readonly actor: Actor;
  steps = 0;

  constructor({ policy, weights, key }: Pick<EpisodeRolloutOptions, "policy" | "weights" | "key">) {
    this.actor = new Actor({ policy, weights, key, rows: 1, view: { observation: this.observation } });
  }

  /** A rollout of the words that `play` writes. */
  rollout(play: (writer: Writer) => readonly Episode[]): EpisodeSource {
    return Object.assign(this, { next: () => play(this) });
  }

  save(): Snapshot {
    return { actor: this.actor.save(), steps: this.steps };
  }

  restore(from: Snapshot): void {
    const { actor, steps } = from as { actor: Snapshot; steps: number };
    this.actor.restore(actor);
    this.steps = steps;
  }

  /** Samples and records the next letter after `prefix`. */
  write(recorder: EpisodeRecorder, prefix: readonly number[], reward = 0): number {
    this.observation.set(seen(prefix));
    const { action, logProb } = this.actor.act();
    const letter = (action as Tensor).data[0];
    recorder.add({
      observation: tensor([Array.from(seen(prefix))]),
      action: tensor(Int32Array.of(letter), { dtype: "i32" }),
      logProb: tensor(Float32Array.of(logProb!.data[0])),
      reward,
    });
    this.steps++;
    return letter;
  }
}

/** The letters of some steps of an episode. */
export const lettersAt = (e: Episode, steps: readonly number[]) =>
  steps.map((s) => (e.columns.action as Tensor).data[s]);
