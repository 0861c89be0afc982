import type { Episode } from "@reins/core";
import { pathOf } from "@reins/core/episodes";
import { EpisodeRecorder, episodic } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic } from "@reins/core/policies";
import { adam } from "@reins/nn";
import { expect, it } from "vitest";
import { expectResumes, runOf } from "./testing-resumes.ts";
import { lettersAt, Writer, words } from "./testing-words.ts";

/** Each letter of an ascending word has value 1. */
const worth = (word: readonly number[]) => word.filter((l, i) => i === 0 || l > word[i - 1]).length;
const leavesOf = (e: Episode) =>
  e.segments.flatMap((_, s) => (e.segments.some((o) => o.parent?.segment === s) ? [] : [s]));

it("a tree of continuations sharing a prefix: each segment is credited with the leaves below it", async () => {
  const run = await expectResumes(() =>
    runOf((context) =>
      episodic(
        {
          name: "tree",
          policy: actorCritic(words, { hidden: [8], critic: false }),
          rollout: (options) => new Writer(options).rollout((w) => [grow(w)]),
          // Mean value of a segment's leaves, minus that of all leaves.
          target: (batch, _rewards, [{ episode: tree }]) => {
            const leaves = leavesOf(tree).map((s) => ({
              path: pathOf(tree, s),
              worth: worth(lettersAt(tree, pathOf(tree, s))),
            }));
            const mean = (of: typeof leaves) => of.reduce((a, l) => a + l.worth, 0) / of.length;
            const steps = batch.index.kind === "episodes" ? batch.index.starts[1] : 0;
            return {
              advantage: Array.from(
                { length: steps },
                (_, t) => mean(leaves.filter((l) => l.path.includes(t))) - mean(leaves),
              ),
            };
          },
          loss: losses.policyGradient({ ratio: losses.clipped(0.2) }),
          optimiser: adam(),
          learningRate: 0.01,
          epochs: 2,
          minibatches: 1,
          normalise: "none",
        },
        context,
      ),
    ),
  );
  expect(run.metrics["policy/entropy"]).toBeGreaterThan(0);
});

/** One letter, then three continuations of it: seven steps for three words of three letters. */
function grow(writer: Writer): Episode {
  const recorder = new EpisodeRecorder();
  const root = recorder.open();
  const first = writer.write(recorder, []);
  for (let branch = 0; branch < 3; branch++) {
    recorder.open({ parent: { segment: root, step: 0 } });
    const second = writer.write(recorder, [first]);
    writer.write(recorder, [first, second]);
  }
  const tree = recorder.finish({ terminated: true, truncated: false });
  expect(tree.segments.length).toBe(4);
  expect(pathOf(tree, 3)).toEqual([0, 5, 6]);
  return tree;
}
