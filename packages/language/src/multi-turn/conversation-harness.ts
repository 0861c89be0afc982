import { stream } from "@reins/core/random";
import type { GptParams } from "@reins/nn";
import type { Tree } from "@reins/tensor";
import { LiveGenerator } from "../generation/live.ts";
import type { Slot } from "../generation/slot.ts";
import { generatorOptions } from "../rollouts/generator-options.ts";
import type { TextStageOptions } from "../rollouts/stage-options.ts";
import { episodeOf } from "../tasks/episode.ts";
import type { Problem } from "../tasks/text-task.ts";
import { runToEnd } from "./converse.ts";
import { Dialogue } from "./dialogue.ts";
import type { Harness, RolloutOptions, ServedWeights } from "./harness.ts";
import { weightsIn, weightsOf } from "./roles-policy.ts";
import { type Conversation, type ConversationRollout, own, type Speakers } from "./speaker.ts";
import { modelSpeaker, scriptedSpeaker } from "./speakers.ts";

/** Name of weights that do not learn: the initial ones. */
const start = "start";

/** A generator for all roles with the same weights. */
interface RoleGenerator {
  readonly whose: string;
  readonly live: LiveGenerator;
  params: GptParams;
}

/** Runs conversations in this process: with the task's tools, its environment and its other roles. */
export class ConversationHarness implements Harness {
  private readonly options: TextStageOptions;
  private served: ServedWeights;
  private readonly generators = new Map<string, RoleGenerator>();
  private queue: Promise<unknown> = Promise.resolve();

  constructor(options: TextStageOptions, served: ServedWeights) {
    this.options = options;
    this.served = served;
  }

  async rollout(problem: Problem, how: RolloutOptions): Promise<readonly ConversationRollout[]> {
    // Evaluation needs one continuation only.
    const forks = this.served.record ? this.options.forks : undefined;
    const trunk = new Dialogue(problem, { ...this.options, seed: stream(how.seed, "world") });
    if (!forks || how.greedy)
      return [await this.withSpeakers(problem, how, (speakers) => runToEnd(trunk, speakers))];
    const branches: Promise<ConversationRollout>[] = [];
    const whole = this.withSpeakers(problem, how, async (speakers) => {
      while (!trunk.ended && trunk.turns < forks.turn) await trunk.advance(speakers);
      for (let i = 1; i < forks.into && !trunk.ended; i++) {
        const seed = stream(how.seed, "fork", i);
        const branch = trunk.fork(stream(seed, "world"));
        const { written } = trunk;
        // The fork waits for its own slots and holds none meanwhile.
        const rest = this.withSpeakers(problem, { seed }, (speakers) => runToEnd(branch, speakers));
        const finished = rest.then((h) => ({ ...h, before: written }));
        // Its failure is reported below.
        finished.catch(() => {});
        branches.push(finished);
      }
      return runToEnd(trunk, speakers);
    });
    // Await all forks, so that none keeps generating after the caller has thrown.
    const [first] = await Promise.allSettled([whole]);
    const others = await Promise.allSettled(branches);
    return [first, ...others].map((one) => {
      if (one.status === "rejected") throw one.reason;
      return one.value;
    });
  }

  use(weights: Tree): void {
    this.served = { ...this.served, weights };
    for (const one of this.generators.values()) {
      const params = this.paramsOf(one.whose);
      if (params !== one.params) one.live.use((one.params = params));
    }
  }

  forget(): void {
    for (const { live } of this.generators.values()) live.forget();
  }

  /** Acquires a slot for every role that needs one, and releases them in the end. */
  private async withSpeakers(
    problem: Problem,
    how: RolloutOptions,
    run: (speakers: Speakers) => Promise<Conversation>,
  ): Promise<Conversation> {
    const { roles } = episodeOf(this.options.task);
    const names = [own, ...Object.keys(roles)].filter((name) => typeof roles[name]?.by !== "function");
    const slots = await this.slotsFor(names, how);
    try {
      const by = how.greedy ? "greedy" : "policy";
      const speakers = [own, ...Object.keys(roles)].map((name, i) => {
        const seed = name === own ? how.seed : stream(how.seed, "role", i);
        const player = roles[name]?.by;
        return typeof player === "function"
          ? [name, scriptedSpeaker(this.options, problem, player, { seed })]
          : [name, modelSpeaker(this.options, slots[names.indexOf(name)], { seed, by })];
      });
      return await run(Object.fromEntries(speakers));
    } finally {
      for (const slot of slots) slot.close();
    }
  }

  /**
   * Acquires all slots of a conversation at once, one conversation after another, so that none waits while holding a
   * slot.
   */
  private slotsFor(names: readonly string[], { greedy = false }: RolloutOptions): Promise<readonly Slot[]> {
    const all = names.map((name) => this.generator(name, greedy));
    const slots = this.queue.then(async () => {
      const taken: Slot[] = [];
      for (const live of all) taken.push(await live.slot());
      return taken;
    });
    this.queue = slots.catch(() => {});
    return slots;
  }

  private paramsOf(whose: string): GptParams {
    const { weights, frozen } = this.served;
    if (whose === start) return frozen?.params ?? this.options.start.params;
    return weightsOf(this.options.task, weights, whose);
  }

  /** Roles with the same weights share a batch. */
  private generator(role: string, greedy: boolean): LiveGenerator {
    const { task } = this.options;
    const frozen = episodeOf(task).roles[role]?.by === start;
    const whose = frozen ? start : weightsIn(task).includes(role) ? role : own;
    // Partners that do not learn are sampled even when the model is greedy.
    const key = `${whose} ${greedy && !frozen}`;
    const known = this.generators.get(key);
    if (known) return known.live;
    const { version, record = false } = this.served;
    const params = this.paramsOf(whose);
    const live = new LiveGenerator(
      generatorOptions(this.options, params, {
        greedy: greedy && !frozen,
        version,
        record: record && !greedy && !frozen,
      }),
    );
    this.generators.set(key, { whose, live, params });
    return live;
  }
}
