import type { Episode } from "@reins/core";
import { EpisodeRecorder, episodic } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic } from "@reins/core/policies";
import * as targets from "@reins/core/targets";
import { adam } from "@reins/nn";
import { expect, it } from "vitest";
import { expectResumes, runOf } from "./testing-resumes.ts";
import { Writer, words } from "./testing-words.ts";

it("a transcript rewritten every round: each round is a segment with its own context", async () => {
  await expectResumes(() =>
    runOf((context) =>
      episodic(
        {
          name: "transcript",
          policy: actorCritic(words, { hidden: [8], critic: false }),
          rollout: (options) => new Writer(options).rollout((w) => [0, 1, 2, 3].map(() => talk(w))),
          target: (batch, rewards) => ({
            advantage: targets.spread(targets.groupRelative(rewards, [0, 0, 0, 0]), batch),
          }),
          loss: losses.policyGradient({ ratio: losses.clipped(0.2) }),
          optimiser: adam(),
          learningRate: 0.01,
          epochs: 1,
          minibatches: 1,
          normalise: "none",
        },
        context,
      ),
    ),
  );
});

/** Three rounds. After each, the history is replaced by its last letter. */
function talk(writer: Writer): Episode {
  const recorder = new EpisodeRecorder();
  let summary: number[] = [];
  for (let round = 0; round < 3; round++) {
    recorder.open({ context: `so far: ${summary.join(" ") || "nothing"}` });
    const a = writer.write(recorder, summary);
    const b = writer.write(recorder, [...summary, a].slice(-2), a);
    summary = [b];
  }
  const episode = recorder.finish({ terminated: true, truncated: false });
  expect(episode.segments.map((s) => [s.from, s.to])).toEqual([
    [0, 2],
    [2, 4],
    [4, 6],
  ]);
  expect(episode.segments[0].context).toBe("so far: nothing");
  return episode;
}
