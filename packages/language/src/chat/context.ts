import type { Maker } from "@reins/core";
import type { Generated } from "../generation/sequence.ts";
import type { Span } from "../generation/span.ts";
import type { Message } from "../tokenizers/message.ts";
import type { ChatFormat, RenderedPrompt } from "./chat-format.ts";

/** A span of tokens with its turn. */
export interface TurnSpan extends Span {
  /** Number of the model's own turn; undefined for messages of others. */
  readonly turn?: number;
}

/** A segment of the model's context, in which nothing was rewritten. */
export interface ConversationSegment {
  readonly spans: TurnSpan[];
  /** Prefix shared with an earlier segment. Its tokens are not among the spans. */
  readonly parent?: { readonly scene: number; readonly tokens: number };
}

/**
 * The context of a model in a conversation, token for token. Generated tokens stay as they were sampled; messages of
 * others are appended. Where a new rendering rewrites the history (a template that drops reasoning, a rebuilt
 * context), a new segment begins.
 */
export class ConversationContext {
  readonly scenes: ConversationSegment[] = [];
  /** The conversation so far. */
  readonly messages: Message[];
  private readonly speaking: ChatFormat;
  private rendered!: RenderedPrompt;
  private written: readonly number[] = [];
  private all: number[] = [];
  private turns = 0;

  constructor(speaking: ChatFormat, messages: readonly Message[]) {
    this.speaking = speaking;
    this.messages = [...messages];
    this.open("environment");
  }

  /** The tokens that the next turn continues. */
  get tokens(): readonly number[] {
    return this.all;
  }

  /** Appends a turn and its author. */
  write(message: Message, by: Maker, text: Pick<Generated, "tokens"> & Partial<Generated>): void {
    this.messages.push(message);
    this.written = text.tokens;
    this.all.push(...text.tokens);
    this.scenes[this.scenes.length - 1].spans.push({ ...recordOf(text), by, turn: this.turns++ });
  }

  /** Messages of others, reduced to what the tokenizer can encode. */
  sayable(said: readonly Message[]): readonly Message[] {
    const { encodable } = this.speaking;
    return encodable ? said.map((m) => ({ ...m, content: encodable(m.content) })) : said;
  }

  /** Appends messages of others. */
  tell(said: readonly Message[]): void {
    const { speaking } = this;
    const messages = this.sayable(said);
    this.messages.push(...messages);
    const by: Maker = messages.some((m) => m.role === "tool") ? "tool" : "environment";
    const more = speaking.renderNew(this.rendered, this.written, this.messages);
    if (!more) return this.open(by);
    this.rendered = { tokens: [], text: more.text };
    this.written = [];
    this.all.push(...more.tokens);
    this.scenes[this.scenes.length - 1].spans.push({ by, tokens: more.tokens });
  }

  /** Continues from a rewritten conversation, for example a summary or the last turns. */
  rebuild(messages: readonly Message[]): void {
    this.messages.splice(0, this.messages.length, ...this.sayable(messages));
    this.open("environment");
  }

  /** A copy that can be continued differently. */
  fork(): ConversationContext {
    const other = Object.create(ConversationContext.prototype) as ConversationContext;
    return Object.assign(other, this, {
      scenes: this.scenes.map((scene) => ({ ...scene, spans: [...scene.spans] })),
      messages: [...this.messages],
      all: [...this.all],
    });
  }

  private open(by: Maker): void {
    this.rendered = this.speaking.render(this.messages);
    this.written = [];
    const tokens = [...this.rendered.tokens];
    const parent = this.longest(tokens);
    this.scenes.push({ spans: [{ by, tokens: tokens.slice(parent?.tokens ?? 0) }], parent });
    this.all = tokens;
  }

  /** The segment with the longest common prefix; a single common token does not count. */
  private longest(tokens: readonly number[]): ConversationSegment["parent"] {
    let best: ConversationSegment["parent"];
    this.scenes.forEach((_, scene) => {
      const shared = commonPrefix(segmentTokens(this.scenes, scene), tokens);
      if (shared > 1 && shared > (best?.tokens ?? 0)) best = { scene, tokens: shared };
    });
    return best;
  }
}

/** What generation recorded for each token. Named one by one: a rest pattern takes several microseconds. */
function recordOf(text: Pick<Generated, "tokens"> & Partial<Generated>): Omit<Span, "by"> {
  const { tokens, logProbs, modelLogProbs, entropies, versions, kept, temperature } = text;
  if (!logProbs) return { tokens };
  return {
    ...{ tokens, logProbs, modelLogProbs, entropies, versions },
    ...(kept ? { kept } : {}),
    ...(temperature === undefined ? {} : { temperature }),
  };
}

/** All tokens of a segment, the shared prefix first. */
export function segmentTokens(scenes: readonly ConversationSegment[], scene: number): number[] {
  const { spans, parent } = scenes[scene];
  const all = parent ? segmentTokens(scenes, parent.scene).slice(0, parent.tokens) : [];
  for (const { tokens } of spans) for (const token of tokens) all.push(token);
  return all;
}

/** Number of tokens of a segment, the shared prefix included. */
export const segmentLength = ({ spans, parent }: ConversationSegment): number =>
  spans.reduce((sum, p) => sum + p.tokens.length, parent?.tokens ?? 0);

/** Length of the common prefix; the last token of `b` is excluded, so that it remains to be read. */
export function commonPrefix(a: readonly number[], b: readonly number[]): number {
  let shared = 0;
  while (shared < a.length && shared < b.length - 1 && a[shared] === b[shared]) shared++;
  return shared;
}

/** Number of tokens that the model generated. */
export const ownTokens = (scenes: readonly ConversationSegment[]): number =>
  scenes.flatMap((s) => s.spans).reduce((sum, p) => sum + (p.turn === undefined ? 0 : p.tokens.length), 0);
