import { stream } from "@reins/core/random";
import type { GptParams } from "@reins/nn";
import { LiveGenerator } from "../generation/live.ts";
import type { Generated, Request } from "../generation/sequence.ts";
import { stopAt } from "../generation/stop.ts";
import { generatorOptions } from "../rollouts/generator-options.ts";
import { ApiError } from "./api-error.ts";
import type { ChatRequest } from "./chat-request.ts";
import { ConstraintCache } from "./constraint-cache.ts";
import type { EngineOptions } from "./engine-options.ts";
import { promptOf } from "./prompt.ts";
import { messagesOf, type Reply, readReply, type Usage } from "./reply.ts";
import { constraintOf } from "./reply-constraint.ts";
import { samplingOf } from "./reply-sampling.ts";
import type { Session } from "./session.ts";
import { SlotPool } from "./slot-pool.ts";

/** Default maximum tokens of a reply. */
const usual = 1024;

/** How the replies to a request are delivered. */
export interface ReplyOptions {
  readonly signal?: AbortSignal;
  /** Called after each token of each reply. */
  readonly seen?: (index: number, text: Generated) => void;
}

/** One served model: samples replies in a batch that requests join and leave, and records them in their sessions. */
export class Engine {
  readonly model: string;
  readonly options: EngineOptions;
  readonly created = Math.floor(Date.now() / 1000);
  private readonly generators = new Map<boolean, { live: LiveGenerator; pool: SlotPool }>();
  private readonly schemas = new ConstraintCache();
  private weights: GptParams;

  constructor(options: EngineOptions) {
    this.options = options;
    this.weights = options.weights ?? options.start.params;
    this.model = options.model ?? "reins";
  }

  /** Serves other weights from now on. */
  use(params: GptParams): void {
    if (params === this.weights) return;
    this.weights = params;
    for (const { live } of this.generators.values()) live.use(params);
  }

  /** Drops the prefix cache: the weights have changed, or a run was resumed from a checkpoint. */
  forget(): void {
    for (const { live, pool } of this.generators.values()) {
      pool.clear();
      live.forget();
    }
  }

  /** Releases the idle slots of a session. */
  leave(session: Session): void {
    for (const { pool } of this.generators.values()) pool.leave(session);
  }

  /** Maximum tokens of a prompt and its reply. */
  get context(): number {
    const { capacity, start } = this.options;
    return Math.min(capacity ?? start.options.context, start.options.context);
  }

  private generator(greedy: boolean) {
    const known = this.generators.get(greedy);
    if (known) return known;
    const { version, record = false, capacity } = this.options;
    const purpose = { greedy, version, record: record && !greedy };
    const live = new LiveGenerator({ ...generatorOptions(this.options, this.weights, purpose), capacity });
    const made = { live, pool: new SlotPool(live) };
    this.generators.set(greedy, made);
    return made;
  }

  /** Samples the replies to a request. */
  async replies(
    session: Session,
    request: ChatRequest,
    { signal, seen }: ReplyOptions = {},
  ): Promise<{ replies: Reply[]; usage: Usage }> {
    const call = session.count();
    const { tools } = request;
    // A reply of one model is not continued by another: they may have other tokens.
    const kind = JSON.stringify([this.model, tools]);
    const { tree } = session;
    const { question, format } = await promptOf(tree, request.messages, tools, this.options, kind);
    const { context } = this;
    const room = context - question.tokens.length;
    if (room < 1)
      throw new ApiError(
        400,
        `This model's maximum context length is ${context} tokens, and the messages have ${question.tokens.length}.`,
        { code: "context_length_exceeded", param: "messages" },
      );
    const { tokenizer, limit = usual } = this.options;
    const sampling = samplingOf(session, request, this.options);
    const { pool, live } = this.generator(session.greedy);
    const before = live.read;
    const constraint = constraintOf(request, format, { tokenizer, cache: this.schemas });
    const seed = request.seed === undefined ? session.seedFor(question.tokens) : wholeSeed(request.seed);
    const stop = this.stopOf(request);
    const all = await Promise.all(
      Array.from({ length: request.n }, async (_, index) => {
        const slot = await pool.take(index === 0 ? question.after?.node : undefined);
        let rested = false;
        try {
          const text = await slot.write(
            {
              prompt: question.tokens,
              seed: index ? stream(seed, "sample", index) : seed,
              limit: Math.min(request.limit ?? limit, room),
              ...(constraint ? { constraint } : {}),
              ...(stop ? { stop } : {}),
              ...(sampling ? { sampling } : {}),
            },
            { signal: joined(session.signal, signal), onToken: (t) => seen?.(index, t) },
          );
          const reply = readReply(text, request, { tokenizer, format, id: `${call}-${index}` });
          const { own, sent } = messagesOf(reply, request, tokenizer);
          const node = tree.reply(question, own, sent, text, kind);
          pool.rest(node, slot, session);
          rested = true;
          return reply;
        } finally {
          if (!rested) slot.close();
        }
      }),
    );
    const usage = {
      prompt: question.tokens.length,
      // The last token of a prompt is the input of the first step and not prefilled.
      cached: Math.max(0, question.tokens.length - 1 - (live.read - before)),
      completion: all.reduce((sum, r) => sum + r.text.tokens.length, 0),
    };
    return { replies: all, usage };
  }

  /** Ends a reply at a stop string or at one of the model's further end tokens. */
  private stopOf({ stop }: ChatRequest): Request["stop"] {
    const { ends = [], tokenizer } = this.options;
    const own = stop.length ? stopAt(stop, tokenizer) : undefined;
    if (!ends.length) return own;
    return (tokens) => ends.includes(tokens[tokens.length - 1]) || own?.(tokens) === true;
  }
}

/** Clients may send any integer. */
const wholeSeed = (seed: number): number => (seed < 0 ? stream(-1 - seed, "negative") : seed);

const joined = (a: AbortSignal, b: AbortSignal | undefined): AbortSignal => (b ? AbortSignal.any([a, b]) : a);
