import type { Episode, EpisodeSource, LossTerm, RolloutInput, Snapshot, Stage, TaskItem } from "@reins/core";
import { ownSteps } from "@reins/core/episodes";
import { estimate } from "@reins/core/evaluations";
import * as judges from "@reins/core/judges";
import { Actor, episodesIn, episodic } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic, teams } from "@reins/core/policies";
import * as targets from "@reins/core/targets";
import { adam } from "@reins/nn";
import { mul, setBackend, type Tensor, type Tree } from "@reins/tensor";
import { expect, it } from "vitest";
import { answersOf, converse, homework, mark, roomFor } from "./testing-homework.ts";
import { actingOf, expectResumes, runOf } from "./testing-resumes.ts";

setBackend("wasm");

const policy = teams(homework, {
  asker: actorCritic(homework, { hidden: [8], critic: false }),
  answerer: actorCritic(homework, { hidden: [16], critic: false }),
});
const plays = 24;
const problems: readonly TaskItem[] = [0, 1].flatMap((wanted) =>
  [1, 2].map((a) => ({ key: `${wanted} of ${a}`, context: { wanted, a, b: 1 }, groupSize: plays })),
);

/** Repeated conversations about all problems. */
class Conversations implements EpisodeSource {
  steps = 0;
  private readonly playing: RolloutInput;
  private readonly room = roomFor(problems.length * plays);
  private readonly actor: Actor;

  constructor(playing: RolloutInput) {
    const { weights, key } = playing;
    this.playing = playing;
    this.actor = new Actor({ policy, weights, view: this.room, rows: problems.length * plays, key });
  }

  next(): Episode[] {
    const { task, statistics, version } = this.playing;
    const all = task.next(statistics).flatMap((p) => Array.from({ length: p.groupSize }, () => p));
    const episodes = converse(this.actor, this.room, all, version?.());
    this.steps += episodes.reduce((n, e) => n + ownSteps(e), 0);
    return episodes;
  }

  save(): Snapshot {
    return { steps: this.steps, actor: this.actor.save() };
  }

  restore(from: Snapshot): void {
    const { steps, actor } = from as { steps: number; actor: Snapshot };
    this.steps = steps;
    this.actor.restore(actor);
  }
}

/** One greedy conversation about each problem. */
function rehearse(weights: Tree, about: readonly TaskItem[]): Episode[] {
  const view = roomFor(about.length);
  return converse(new Actor({ policy, weights, view, rows: about.length }), view, about);
}

const stage: Stage = {
  policy,
  judge: judges.each(mark),
  play: (playing) => new Conversations(playing),
  async evaluate(weights) {
    const episodes = rehearse(weights, problems);
    const returns = Float64Array.from(episodes, mark);
    return { ...estimate(returns), returns, lengths: Float64Array.from(episodes, ownSteps) };
  },
  answer: (weights, problem) => answersOf(rehearse(weights, [problems[Number(problem)]])[0]),
};

/** Reports the loss mask on tool tokens. */
const toolShare: LossTerm = {
  value({ columns, report }) {
    report("learned/tool", columns.tool as Tensor);
    return mul(columns.tool as Tensor, 0);
  },
};

it("a conversation of two roles with a tool: a final reward, and tool tokens outside the loss mask", async () => {
  const run = await expectResumes(() =>
    runOf(
      (context) => {
        const { policy, play, judge } = episodesIn(context, () => expect.unreachable());
        return episodic(
          {
            name: "conversation",
            policy,
            rollout: play,
            judge,
            task: { next: () => problems },
            target: (batch, rewards) => ({
              advantage: targets.spread(targets.groupRelative(rewards, targets.groupsOf(batch)), batch),
            }),
            loss: losses.sum(
              losses.policyGradient({ ratio: losses.clipped(0.2) }),
              losses.weighted(-0.05, losses.entropy()),
              toolShare,
            ),
            optimiser: adam(),
            learningRate: 0.02,
            epochs: 2,
            minibatches: 1,
            normalise: "none",
          },
          context,
        );
      },
      { env: { spec: homework, stage } },
    ),
  );
  const said = run.process.inspect?.().episodes?.[0].episode ?? expect.unreachable();
  expect(said.segments.map((s) => s.context)).toEqual(["asker", "answerer", "asker", "answerer"]);
  expect(Array.from((said.columns.tool as Tensor).data)).toEqual([0, 1, 0, 0, 1, 0]);
  expect(run.metrics["learned/tool"]).toBe(0);
  expect(run.metrics["length/mean"]).toBe(4);

  for (let i = 0; i < 30; i++) await run.round();
  const { weights } = actingOf(run.process);
  expect((await stage.evaluate(weights)).mean).toBe(1);
  // 1 + 1, and the discounted part of that, plus 1 again.
  expect(stage.answer(weights, 0)).toEqual([2, 3]);
});
