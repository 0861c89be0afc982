import { stream } from "@reins/core/random";
import type { GptParams } from "@reins/nn";
import { LiveGenerator } from "../generation/live.ts";
import type { Generated } from "../generation/sequence.ts";
import { stopAt } from "../generation/stop.ts";
import { generatorOptions } from "../rollouts/generator-options.ts";
import { terse } from "../tools/terse-format.ts";
import { ApiError } from "./api-error.ts";
import type { ChatRequest } from "./chat-request.ts";
import type { RawPrompt } from "./completions-request.ts";
import { ConstraintCache } from "./constraint-cache.ts";
import { EngineCounters } from "./counters.ts";
import { Embedder } from "./embedder.ts";
import type { EngineOptions } from "./engine-options.ts";
import { linkedSignal } from "./linked-signal.ts";
import { promptOf } from "./prompt.ts";
import { rawQuestion, rawTokens } from "./raw-prompt.ts";
import { messagesOf, type Reply, readReply, type Usage } from "./reply.ts";
import { constraintOf } from "./reply-constraint.ts";
import { samplingOf } from "./reply-sampling.ts";
import type { Session } from "./session.ts";
import { SlotPool } from "./slot-pool.ts";

/** Default rows of a generator. */
const defaultRows = 64;

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
  readonly counters = new EngineCounters();
  private readonly generators = new Map<boolean, { live: LiveGenerator; pool: SlotPool }>();
  private readonly schemas = new ConstraintCache();
  private embedder: Embedder | undefined;
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

  /** Replies generated at the same time. */
  get rows(): number {
    return this.options.rows ?? defaultRows;
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
    const { counters } = this;
    this.admit();
    const begun = performance.now();
    const since = () => (performance.now() - begun) / 1000;
    const call = session.count();
    const { tools } = request;
    // A reply of one model is not continued by another: they may have other tokens. No conversation continues a completion of a text.
    const kind = JSON.stringify([this.model, request.prompt === undefined ? tools : "prompt"]);
    const { tree } = session;
    const { question, format } =
      request.prompt === undefined
        ? await promptOf(tree, request.messages, tools, this.options, kind)
        : { question: rawQuestion(await rawTokens(request.prompt, this.options)), format: terse };
    const room = this.roomAfter(question.tokens.length, request.prompt === undefined ? "messages" : "prompt");
    const { tokenizer, limit = usual } = this.options;
    const sampling = samplingOf(session, request, this.options);
    const { pool } = this.generator(session.greedy);
    const constraint = constraintOf(request, format, { tokenizer, cache: this.schemas });
    const seed = request.seed === undefined ? session.seedFor(question.tokens) : wholeSeed(request.seed);
    const stop = request.stop.length ? stopAt(request.stop, tokenizer) : undefined;
    const { signal: cancelled, unlink } = linkedSignal(session.signal, signal);
    let [started, cached] = [false, 0];
    const onToken = (index: number, text: Generated) => {
      if (!started) counters.first.add(since());
      started = true;
      seen?.(index, text);
    };
    const all = await Promise.all(
      Array.from({ length: request.n }, async (_, index) => {
        counters.queued++;
        const key = index === 0 ? question.after?.node : undefined;
        const slot = await pool.take(key, cancelled).finally(() => counters.queued--);
        counters.active++;
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
            { signal: cancelled, onToken: (t) => onToken(index, t) },
          );
          if (index === 0) cached = slot.cached;
          const reply = readReply(text, request, { tokenizer, format, id: `${call}-${index}` });
          const node = tree.reply(question, messagesOf(reply, request, tokenizer), text, kind);
          pool.rest(node, slot, session);
          rested = true;
          return reply;
        } finally {
          counters.active--;
          if (!rested) slot.close();
        }
      }),
    ).finally(unlink);
    const usage = {
      prompt: question.tokens.length,
      cached,
      completion: all.reduce((sum, r) => sum + r.text.tokens.length, 0),
    };
    for (const key of ["prompt", "cached", "completion"] as const) counters[key] += usage[key];
    counters.whole.add(since());
    return { replies: all, usage };
  }

  /** The embedding of a text and its number of tokens. */
  async embed(text: RawPrompt): Promise<{ readonly embedding: Float32Array; readonly tokens: number }> {
    const tokens = await rawTokens(text, this.options, "input");
    this.roomAfter(tokens.length - 1, "input");
    this.embedder ??= new Embedder(this.options.start);
    this.counters.prompt += tokens.length;
    return { embedding: this.embedder.of(this.weights, tokens), tokens: tokens.length };
  }

  /** Tokens that fit behind a prompt. */
  private roomAfter(prompt: number, param: string): number {
    const { context } = this;
    if (prompt < context) return context - prompt;
    throw new ApiError(
      400,
      `This model's maximum context length is ${context} tokens, and the ${param} ${param === "messages" ? "have" : "has"} ${prompt}.`,
      { code: "context_length_exceeded", param },
    );
  }

  /** Refuses a request while too many replies wait. */
  private admit(): void {
    const { queue = Number.POSITIVE_INFINITY } = this.options;
    if (this.counters.queued <= 0 || this.counters.queued < queue) return;
    this.counters.refused++;
    throw new ApiError(
      429,
      `${this.counters.queued} replies are waiting for ${this.model}. Try again later, or send fewer requests at a time.`,
      { code: "rate_limit_exceeded" },
    );
  }
}

/** Clients may send any integer. */
const wholeSeed = (seed: number): number => (seed < 0 ? stream(-1 - seed, "negative") : seed);
