import {
  box,
  discrete,
  type Episode,
  type EpisodeSource,
  type Policy,
  type RolloutInput,
  type Snapshot,
} from "@reins/core";
import { EpisodeRecorder, episodic } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic } from "@reins/core/policies";
import * as targets from "@reins/core/targets";
import { adam } from "@reins/nn";
import { compile, random, scalar, setBackend, type Tensor, type Tree, tensor, zeros } from "@reins/tensor";
import { expect, it } from "vitest";
import { Mail } from "./testing-mail.ts";
import { expectResumes, runOf } from "./testing-resumes.ts";

setBackend("wasm");

const spec = { id: "Mail-v0", observation: box([3], 0, 1), action: discrete(3) };
const plays = 16;
const length = 3;

/** Rows that continue as soon as they have an answer. Sampling depends on the game and the move, never on the order of answers. */
class Letters implements EpisodeSource {
  steps = 0;
  private batches = 0;
  private readonly mail: Mail;
  private readonly observation = zeros([1, 3]);
  private readonly game = scalar(0, "i32");
  private readonly move = scalar(0, "i32");
  private readonly act: () => { action: Tree; logProb?: Tensor };

  constructor(mail: Mail, { policy, weights, key }: RolloutInput<Policy>) {
    this.mail = mail;
    const choose = (w: Tree, observation: Tensor, k: Tensor, game: Tensor, move: Tensor) =>
      policy.act(w, { observation }, {}, random.foldKey(random.foldKey(k, game), move));
    const bound = compile(choose).bind(weights, this.observation, key, this.game, this.move);
    this.act = () => {
      bound.run();
      return bound.result;
    };
  }

  async next(): Promise<readonly Episode[]> {
    const done: Episode[] = [];
    let taken = 0;
    const play = async (row: number) => {
      for (let i = taken++; i < plays; i = taken++) {
        done[i] = await this.play(row, this.batches * plays + i);
        this.mail.games[row]++;
      }
    };
    await Promise.all(this.mail.games.map((_, row) => play(row)));
    this.batches++;
    this.steps += plays * length;
    return done;
  }

  private async play(row: number, game: number): Promise<Episode> {
    const recorder = new EpisodeRecorder();
    for (let move = 0; move < length; move++) {
      const asked = await this.mail.ask(row, game, move);
      // No other callback uses the columns until the next message.
      this.observation.data.fill(0)[asked] = 1;
      this.game.data[0] = game;
      this.move.data[0] = move;
      const { action, logProb } = this.act();
      const said = (action as Tensor).data[0];
      recorder.add({
        observation: tensor(this.observation.data.slice(), { shape: [1, 3] }),
        action: tensor(Int32Array.of(said)),
        logProb: logProb?.data[0] ?? 0,
        reward: Number(said === asked),
      });
    }
    return recorder.finish({ terminated: true, truncated: false, group: "mail" });
  }

  save(): Snapshot {
    return { batches: this.batches, steps: this.steps };
  }

  restore(from: Snapshot): void {
    const { batches, steps } = from as { batches: number; steps: number };
    this.batches = batches;
    this.steps = steps;
  }
}

const correspond = (mail: Mail) => () =>
  runOf((context) =>
    episodic(
      {
        name: "mail",
        policy: actorCritic(spec, { hidden: [8], critic: false }),
        rollout: (playing) => new Letters(mail, playing),
        target: (batch, rewards) => ({
          advantage: targets.spread(targets.groupRelative(rewards, targets.groupsOf(batch)), batch),
        }),
        loss: losses.policyGradient({ ratio: losses.clipped(0.2) }),
        optimiser: adam(),
        learningRate: 0.03,
        epochs: 2,
        minibatches: 1,
        normalise: "none",
      },
      context,
    ),
  );

it("an asynchronous environment: a slow row does not block others, and results do not depend on timing", async () => {
  const mail = new Mail("first");
  const run = await expectResumes(correspond(mail));
  // Four rounds and two of the resumed run: the slow row was in the middle of one game while the others finished theirs.
  expect(mail.games[0]).toBe(6);
  expect(Math.min(...mail.games.slice(1))).toBeGreaterThan(12);

  const other = correspond(new Mail("last"))();
  for (let i = 0; i < 4; i++) await other.round();
  expect(other.save()).toEqual(run.save());

  const round = run.round();
  expect(round).toBeInstanceOf(Promise);
  await round;
  for (let i = 0; i < 40; i++) await run.round();
  expect(run.metrics["return/mean"]).toBeGreaterThan(2.5);
});
