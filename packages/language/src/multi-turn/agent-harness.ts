import type { GptParams } from "@reins/nn";
import type { Tree } from "@reins/tensor";
import { Gateway } from "../gateway/gateway.ts";
import { type Served, serveGateway } from "../gateway/serve.ts";
import type { TextStageOptions } from "../rollouts/stage-options.ts";
import type { AgentRun, Problem } from "../tasks/text-task.ts";
import { reasonOf } from "../tools/reason.ts";
import { withTimeout } from "../tools/timeout.ts";
import type { ConversationResult } from "./conversation-episode.ts";
import type { Harness, RolloutOptions, ServedWeights } from "./harness.ts";
import type { ConversationRollout } from "./speaker.ts";

/** Milliseconds that one rollout of an agent may take. */
const timeout = 120_000;

/** Rollouts of an external agent: each has its own API key, which identifies its calls. */
export class AgentHarness implements Harness {
  private readonly gateway: Gateway;
  private readonly options: TextStageOptions;
  private readonly agent: AgentRun["agent"];
  private serving: Promise<Served> | undefined;
  private plays = 0;
  private playing = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    options: TextStageOptions,
    { weights, version, record }: ServedWeights,
    agent: AgentRun["agent"],
  ) {
    this.agent = agent;
    this.options = options;
    this.gateway = new Gateway({ ...options, weights: weights as GptParams, version, record });
  }

  /**
   * As many at a time as the generator has rows: a rollout then keeps its slot, and its result does not depend on the
   * pace of the others.
   */
  async rollout(problem: Problem, how: RolloutOptions): Promise<readonly ConversationRollout[]> {
    const { rows = 64 } = this.options;
    while (this.playing >= rows) await new Promise<void>((go) => this.waiting.push(go));
    this.playing++;
    try {
      return [await this.playOne(problem, how)];
    } finally {
      this.playing--;
      this.waiting.shift()?.();
    }
  }

  private async playOne(
    problem: Problem,
    { seed, greedy = false }: RolloutOptions,
  ): Promise<ConversationRollout> {
    const { gateway } = this;
    const { baseURL } = await (this.serving ??= serveGateway(gateway));
    const apiKey = `reins-${this.plays++}-${crypto.randomUUID()}`;
    const session = gateway.open(apiKey, { seed, greedy });
    const over = new AbortController();
    let [text, failed] = ["", undefined as string | undefined];
    try {
      const access = { baseURL, apiKey, model: gateway.model, problem, signal: over.signal };
      const said = await withTimeout(
        Promise.resolve().then(() => this.agent(access)),
        timeout,
      );
      text = said === undefined || said === null ? "" : String(said);
    } catch (error) {
      failed = `the agent failed: ${reasonOf(error)}`;
    } finally {
      over.abort();
      gateway.close(session);
    }
    const { tree } = session;
    if (tree.replies === 0) failed ??= "the agent made no model call";
    const result: ConversationResult = {
      problem,
      text,
      ended: "end",
      messages: tree.last,
      opening: 0,
      rewards: Array(tree.replies).fill(0),
      calls: {},
      price: 0,
      ...(failed === undefined ? {} : { failed }),
    };
    const segments = greedy ? tree.segments.map(byGreedy) : tree.segments;
    return { segments: tree.replies ? segments : [this.nothing()], result, truncated: false };
  }

  use(weights: Tree): void {
    this.gateway.use(weights as GptParams);
  }

  forget(): void {
    this.gateway.forget();
  }

  /** An episode needs at least one step: a placeholder of the end token twice. */
  private nothing() {
    const { end } = this.options.tokenizer;
    return { spans: [{ by: "environment" as const, tokens: [end, end] }] };
  }
}

/** Greedy replies are not trained on. */
const byGreedy = (segment: ConversationRollout["segments"][number]) => ({
  ...segment,
  spans: segment.spans.map((p) => (p.by === "policy" ? { ...p, by: "greedy" as const } : p)),
});
