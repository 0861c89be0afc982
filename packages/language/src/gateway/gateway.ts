import { defaultSeed, stream } from "@reins/core/random";
import type { GptParams } from "@reins/nn";
import * as constraints from "../generation/constraints/index.ts";
import { LiveGenerator } from "../generation/live.ts";
import type { RequestSampling } from "../generation/sampling.ts";
import type { Constraint, Generated } from "../generation/sequence.ts";
import { stopAt } from "../generation/stop.ts";
import { generatorOptions } from "../rollouts/generator-options.ts";
import type { TextStageOptions } from "../rollouts/stage-options.ts";
import type { Message } from "../tokenizers/message.ts";
import type { CallFormat } from "../tools/call-format.ts";
import { ApiError, refuse } from "./api-error.ts";
import type { CallTree, Question } from "./call-tree.ts";
import type { ChatRequest } from "./chat-request.ts";
import type { Reply, Usage } from "./chat-response.ts";
import { ConstraintCache } from "./constraint-cache.ts";
import { promptOf } from "./prompt.ts";
import { callConstraint, callsRestricted } from "./reply-constraint.ts";
import { Session } from "./session.ts";
import { SlotPool } from "./slot-pool.ts";

/** Settings of a {@link Gateway}. */
export interface GatewayOptions
  extends Pick<TextStageOptions, "start" | "tokenizer" | "sampling" | "rows" | "format" | "limit"> {
  /** Name of the model for clients (default `reins`). */
  readonly model?: string;
  /**
   * Weights to serve (default: those of `start`). They are read in place, so that a model in training is served as it
   * is.
   */
  readonly weights?: GptParams;
  /** Changes whenever the weights do. */
  readonly version?: () => number;
  /** Records kept sets, so that replies can be trained on. */
  readonly record?: boolean;
}

/** Default maximum tokens of a reply. */
const usual = 1024;

/** Maximum repeat count of a schema: characters of a string, items of an array. */
const mostRepeats = 4096;

/** Maximum characters of a schema as JSON. */
const longestSchema = 2 ** 17;

/** Answers API requests with a model and records every reply, token for token. */
export class Gateway {
  readonly model: string;
  readonly options: GatewayOptions;
  readonly created = Math.floor(Date.now() / 1000);
  private readonly sessions = new Map<string, Session>();
  private readonly generators = new Map<boolean, { live: LiveGenerator; pool: SlotPool }>();
  private weights: GptParams;
  private readonly schemas = new ConstraintCache();

  constructor(options: GatewayOptions) {
    this.options = options;
    this.weights = options.weights ?? options.start.params;
    this.model = options.model ?? "reins";
  }

  /** Opens a session for an API key. Its calls are recorded in the session. */
  open(key: string, { seed = defaultSeed, greedy = false, passing = false } = {}): Session {
    const session = new Session(key, { seed, greedy, passing });
    this.sessions.set(key, session);
    return session;
  }

  /** Ends a session: revokes its key and cancels its generations. */
  close(session: Session): void {
    session.close();
    for (const { pool } of this.generators.values()) pool.leave(session);
    if (this.sessions.get(session.key) === session) this.sessions.delete(session.key);
  }

  /** The session of an API key. */
  session(key: string | undefined): Session {
    const found = key === undefined ? undefined : this.sessions.get(key);
    if (!found) throw new ApiError(401, "Incorrect API key provided.", { code: "invalid_api_key" });
    return found;
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

  private generator(greedy: boolean) {
    const known = this.generators.get(greedy);
    if (known) return known;
    const { version, record = false } = this.options;
    const wishes = { greedy, version, record: record && !greedy };
    const live = new LiveGenerator(generatorOptions(this.options, this.weights, wishes));
    const made = { live, pool: new SlotPool(live) };
    this.generators.set(greedy, made);
    return made;
  }

  /** Samples the replies to a request. `onToken` is called for each token. */
  async replies(
    session: Session,
    request: ChatRequest,
    { signal, seen }: { signal?: AbortSignal; seen?: (index: number, text: Generated) => void } = {},
  ): Promise<{ replies: Reply[]; usage: Usage }> {
    if (request.model !== this.model)
      throw new ApiError(
        404,
        `The model ${JSON.stringify(request.model.slice(0, 100))} does not exist. Use ${this.model}.`,
        { code: "model_not_found", param: "model" },
      );
    const call = session.count();
    const { tools } = request;
    const kind = JSON.stringify(tools);
    const { tree } = session;
    const { question, format } = await promptOf(tree, request.messages, tools, this.options, kind);
    const room = this.options.start.options.context - question.tokens.length;
    if (room < 1)
      throw new ApiError(
        400,
        `This model's maximum context length is ${this.options.start.options.context} tokens, and the messages have ${question.tokens.length}.`,
        { code: "context_length_exceeded", param: "messages" },
      );
    const sampling = this.samplingOf(session, request);
    const { pool, live } = this.generator(session.greedy);
    const before = live.read;
    const constraint = this.constraintOf(request, format);
    const seed = request.seed === undefined ? session.seedFor(question.tokens) : wholeSeed(request.seed);
    const stop = request.stop.length ? stopAt(request.stop, this.options.tokenizer) : undefined;
    const all = await Promise.all(
      Array.from({ length: request.n }, async (_, index) => {
        const slot = await pool.take(index === 0 ? question.after?.node : undefined);
        let rested = false;
        try {
          const text = await slot.write(
            {
              prompt: question.tokens,
              seed: index ? stream(seed, "sample", index) : seed,
              limit: Math.min(request.limit ?? this.options.limit ?? usual, room),
              ...(constraint ? { constraint } : {}),
              ...(stop ? { stop } : {}),
              ...(sampling ? { sampling } : {}),
            },
            { signal: joined(session.signal, signal), onToken: (t) => seen?.(index, t) },
          );
          const reply = this.read(text, request, format, `${call}-${index}`);
          const node = this.note(tree, question, reply, request, kind);
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

  /** The text and tool calls of a reply. A stop string ends the reply and is not part of it. */
  private read(text: Generated, { tools, stop }: ChatRequest, format: CallFormat, id: string): Reply {
    let words = this.options.tokenizer.decode(text.tokens);
    const ends = stop.map((s) => words.indexOf(s)).filter((at) => at >= 0);
    if (ends.length) words = words.slice(0, Math.min(...ends));
    if (!tools.length || text.ended === "limit") return { text, content: words, calls: [] };
    const { content, calls } = format.parse(words, tools);
    return { text, content, calls: calls.map((c, i) => ({ ...c, id: `call_${id}_${i}` })) };
  }

  private note(tree: CallTree, question: Question, reply: Reply, { stop }: ChatRequest, kind: string) {
    const words = this.options.tokenizer.decode(reply.text.tokens);
    const { content, calls } = reply;
    const more = calls.length ? { calls } : {};
    // The client never sees the part that a stop string cut off: it continues from the text that it received.
    const own: Message = { role: "assistant", content: stop.length ? content : words, ...more };
    const sent: Message = { role: "assistant", content, ...more };
    return tree.reply(question, own, sent, reply.text, kind);
  }

  /** The request's own sampling settings. Evaluations and greedy baselines stay greedy, whatever the request. */
  private samplingOf(session: Session, { sampling }: ChatRequest): RequestSampling | undefined {
    if (session.greedy && !session.passing) return undefined;
    const { temperature, topP } = sampling;
    if (temperature === 0 && this.options.record)
      refuse(
        "temperature",
        "temperature is 0, but a training run cannot learn from greedy replies. Use a temperature above 0 or leave it out; evaluation is always greedy.",
      );
    const usual = session.greedy ? { temperature: 0 } : (this.options.sampling ?? {});
    const own = {
      ...(temperature === undefined || temperature === (usual.temperature ?? 1) ? {} : { temperature }),
      ...(topP === undefined || topP === (usual.topP ?? 1) ? {} : { topP }),
    };
    return Object.keys(own).length ? own : undefined;
  }

  private constraintOf(request: ChatRequest, format: CallFormat): Constraint | undefined {
    const { schema, tools, choice } = request;
    const calls = callsRestricted(request);
    if (schema === undefined && !calls) return undefined;
    const asked = calls ? { schema, choice, tools } : schema;
    const key = JSON.stringify(asked, (name, value) => {
      if (/^(min|max)(Length|Items)$/.test(name) && value > mostRepeats)
        refuse("response_format", `${name} is ${value}; the maximum is ${mostRepeats}.`);
      return value;
    });
    if (key.length > longestSchema)
      refuse("response_format", `The schema has ${key.length} characters; the maximum is ${longestSchema}.`);
    try {
      return this.schemas.of(key, () => {
        const { tokenizer } = this.options;
        return calls
          ? callConstraint(request, format, tokenizer)
          : constraints.schema(schema as constraints.JsonSchema, tokenizer);
      });
    } catch (error) {
      if (error instanceof ApiError) throw error;
      return refuse("response_format", (error as Error).message);
    }
  }
}

/** Clients may send any integer. */
const wholeSeed = (seed: number): number => (seed < 0 ? stream(-1 - seed, "negative") : seed);

const joined = (a: AbortSignal, b: AbortSignal | undefined): AbortSignal => (b ? AbortSignal.any([a, b]) : a);
