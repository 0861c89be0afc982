import type { Maker } from "@reins/core";
import { type Span, spanOf } from "../generation/span.ts";
import type { Message } from "../tokenizers/message.ts";
import type { ChatFormat, RenderedPrompt } from "./chat-format.ts";

/** A segment of the model's context, in which nothing was rewritten. */
export interface ConversationSegment {
  readonly spans: Span[];
  /** Prefix shared with an earlier segment. Its tokens are not among the spans. */
  readonly parent?: { readonly segment: number; readonly tokens: number };
}

/**
 * The context of a model in a conversation, token for token. Generated tokens stay as they were sampled; messages of
 * others are appended. Where a new rendering rewrites the history (a template that drops reasoning, a rebuilt
 * context), a new segment begins.
 */
export class ConversationContext {
  readonly segments: ConversationSegment[] = [];
  /** The conversation so far. */
  readonly messages: Message[];
  private readonly format: ChatFormat;
  private rendered!: RenderedPrompt;
  private written: readonly number[] = [];
  private all: number[] = [];
  private turns = 0;

  constructor(format: ChatFormat, messages: readonly Message[]) {
    this.format = format;
    this.messages = [...messages];
    this.open("environment");
  }

  /** The tokens that the next turn continues. */
  get tokens(): readonly number[] {
    return this.all;
  }

  /** Appends a turn. */
  write(message: Message, span: Span): void {
    this.messages.push(message);
    this.written = span.tokens;
    for (const token of span.tokens) this.all.push(token);
    this.segments[this.segments.length - 1].spans.push(spanOf(span, span.by, this.turns++));
  }

  /** Messages of others, reduced to what the tokenizer can encode. */
  encodable(said: readonly Message[]): readonly Message[] {
    const { encodable } = this.format;
    if (!encodable) return said;
    return said.map((message) => {
      const content = encodable(message.content);
      return content === message.content ? message : { ...message, content };
    });
  }

  /** Appends messages of others. */
  append(said: readonly Message[]): void {
    const { format } = this;
    const messages = this.encodable(said);
    this.messages.push(...messages);
    const by: Maker = messages.some((m) => m.role === "tool") ? "tool" : "environment";
    const more = format.renderNew(this.rendered, this.written, this.messages);
    if (!more) return this.open(by);
    this.rendered = { tokens: [], text: more.text };
    this.written = [];
    for (const token of more.tokens) this.all.push(token);
    this.segments[this.segments.length - 1].spans.push({ by, tokens: more.tokens });
  }

  /** Continues from a rewritten conversation, for example a summary or the last turns. */
  rebuild(messages: readonly Message[]): void {
    this.messages.splice(0, this.messages.length, ...this.encodable(messages));
    this.open("environment");
  }

  /** A copy that can be continued differently. */
  fork(): ConversationContext {
    const other = Object.create(ConversationContext.prototype) as ConversationContext;
    return Object.assign(other, this, {
      segments: this.segments.map((segment) => ({ ...segment, spans: [...segment.spans] })),
      messages: [...this.messages],
      all: [...this.all],
    });
  }

  private open(by: Maker): void {
    this.rendered = this.format.render(this.messages);
    this.written = [];
    const tokens = [...this.rendered.tokens];
    const parent = this.longest(tokens);
    this.segments.push({ spans: [{ by, tokens: tokens.slice(parent?.tokens ?? 0) }], parent });
    this.all = tokens;
  }

  /** The segment with the longest common prefix; a single common token does not count. */
  private longest(tokens: readonly number[]): ConversationSegment["parent"] {
    let best: ConversationSegment["parent"];
    this.segments.forEach((_, segment) => {
      const shared = commonPrefix(segmentTokens(this.segments, segment), tokens);
      if (shared > 1 && shared > (best?.tokens ?? 0)) best = { segment, tokens: shared };
    });
    return best;
  }
}

/** All tokens of a segment, the shared prefix first. */
export function segmentTokens(segments: readonly ConversationSegment[], segment: number): number[] {
  const { spans, parent } = segments[segment];
  const all = parent ? segmentTokens(segments, parent.segment).slice(0, parent.tokens) : [];
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
export const ownTokens = (segments: readonly ConversationSegment[]): number =>
  segments.flatMap((s) => s.spans).reduce((sum, p) => sum + (p.turn === undefined ? 0 : p.tokens.length), 0);
