import type { Episode, JudgedEpisode, Saved, ScoringPolicy, Snapshot } from "@reins/core";
import { makers } from "@reins/core/episodes";
import { textHash } from "@reins/core/examples";
import { episodeScores } from "@reins/core/loops";
import { restore, save } from "@reins/core/snapshots";
import { leaves, type Tensor, type Tree, tensor, treeMap } from "@reins/tensor";

/**
 * Log-probabilities of recorded completions under the weights that training began with, each computed once. Only the
 * weights are saved: a completion is scored alone, so a resumed run computes the same numbers again.
 */
export class ReferenceScores implements Saved {
  private live: Tree = {};
  private state = { weights: {} as Tree, taken: Int32Array.of(0) };
  private readonly known = new Map<string, number>();
  private readonly score: ReturnType<typeof episodeScores>;

  constructor(policy: ScoringPolicy) {
    this.score = episodeScores(policy, "teacher", ({ logProb }) => ({ logProb }));
  }

  /** The weights in training; they are copied before the first update. */
  attach(weights: Tree): void {
    this.live = weights;
    this.state = { weights: copied(weights), taken: Int32Array.of(0) };
  }

  /** The column `reference` of a batch: each completion's log-probability on its first token, 0 on the others. */
  column(judged: readonly JudgedEpisode[]): Float32Array {
    const sizes = judged.map(({ episode }) => (episode.columns.by as Tensor).size);
    const all = new Float32Array(sizes.reduce((a, b) => a + b, 0));
    let at = 0;
    judged.forEach(({ episode }, i) => {
      const first = (episode.columns.by as Tensor).data.indexOf(makers.indexOf("teacher"));
      all[at + first] = this.of(episode);
      at += sizes[i];
    });
    return all;
  }

  private of(episode: Episode): number {
    const { state } = this;
    // An earlier phase may have trained the weights since they were attached.
    if (!state.taken[0]) restore(state.weights, save(this.live));
    state.taken[0] = 1;
    const { action, observation, by } = episode.columns;
    // Texts of equal tokens differ in where the prompt ends.
    const key = hashOf(leaves([observation, action, by]));
    let found = this.known.get(key);
    if (found === undefined) {
      const tokens = Array.from((by as Tensor).data).filter((maker) => makers[maker] === "teacher").length;
      found = this.score(state.weights, [episode]).logProb * tokens;
      this.known.set(key, found);
    }
    return found;
  }

  save(): Snapshot {
    return save(this.state);
  }

  restore(from: Snapshot): void {
    restore(this.state, from);
    this.known.clear();
  }
}

/** 64 bits of hash in place of whole texts, which would fill the memory. */
function hashOf(columns: readonly Tensor[]): string {
  const content = columns.map((t) => t.data.join()).join(" ");
  return `${textHash(content)} ${textHash(`${content.length} ${content}`)}`;
}

const copied = (weights: Tree): Tree =>
  treeMap((t) => tensor(t.data.slice(), { shape: t.shape, dtype: t.dtype }), weights);
