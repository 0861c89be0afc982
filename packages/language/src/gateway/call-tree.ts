import type { ChatFormat, RenderedPrompt } from "../chat/chat-format.ts";
import { type ConversationSegment, commonPrefix, segmentLength, segmentTokens } from "../chat/context.ts";
import type { Generated } from "../generation/sequence.ts";
import { type Span, spanOf } from "../generation/span.ts";
import type { Message } from "../tokenizers/message.ts";
import type { ReplyMessages } from "./reply.ts";

/** The end of a reply: its position, and the state to continue from. */
export interface ReplyEnd {
  readonly segment: number;
  /** Tokens up to the end. */
  readonly length: number;
  readonly rendered: RenderedPrompt;
  readonly written: readonly number[];
  readonly messages: readonly Message[];
  /** Whether its tokens go beyond its message, because a stop string cut it off. */
  readonly cut: boolean;
}

/** A call that is being answered. */
export interface Question {
  /** The prompt tokens. */
  readonly tokens: readonly number[];
  readonly messages: readonly Message[];
  /** The messages as the client sent them. */
  readonly asked: readonly Message[];
  /** @internal */
  readonly rendered: RenderedPrompt;
  /** The reply that it continues, and the number of that reply's tokens in its own prefix. */
  readonly after?: { readonly node: ReplyEnd; readonly shared: number };
  /** @internal Its place in the tree, once it has a reply. */
  laid?: { segment: number; length: number };
}

/**
 * The calls of one client as a tree: a call that begins with an earlier call's messages and reply continues its
 * sampled tokens. Consecutive calls form one segment; where two calls continue the same reply, or a template rewrites
 * the history, a new segment branches off at the last common token.
 */
export class CallTree {
  readonly segments: ConversationSegment[] = [];
  private readonly nodes = new Map<number, ReplyEnd>();
  /** Nodes by parent node and message: each message is hashed once, however many precede it. */
  private readonly places = new Map<string, number>();
  private turns = 0;
  /** The messages of the latest call, with its reply. */
  last: readonly Message[] = [];

  /** Number of replies. */
  get replies(): number {
    return this.turns;
  }

  /** A call with its prompt tokens. `kind` is a key for other inputs of the rendering: tools, formats. */
  ask(messages: readonly Message[], format: ChatFormat, kind = ""): Question {
    const places = this.placesOf(messages, kind);
    for (let count = Math.min(places.length, messages.length - 1); count > 0; count--) {
      const node = this.nodes.get(places[count - 1]);
      if (!node) continue;
      // The model's turns keep their sampled tokens, even if the client sends them back changed.
      const all = [...node.messages, ...messages.slice(count)];
      const path = segmentTokens(this.segments, node.segment).slice(0, node.length);
      const more = node.cut ? undefined : format.renderNew(node.rendered, node.written, all);
      if (more)
        return {
          tokens: [...path, ...more.tokens],
          messages: all,
          asked: messages,
          rendered: { tokens: [], text: more.text },
          after: { node, shared: path.length },
        };
      const rendered = format.render(all);
      return {
        tokens: rendered.tokens,
        messages: all,
        asked: messages,
        rendered,
        after: { node, shared: commonPrefix(path, rendered.tokens) },
      };
    }
    const rendered = format.render(messages);
    return { tokens: rendered.tokens, messages, asked: messages, rendered };
  }

  /** The nodes of a list of messages, as far as they exist; with `more`, missing nodes are created. */
  private placesOf(messages: readonly Message[], kind: string, more = false): number[] {
    const found: number[] = [];
    let before: number | string = kind;
    for (const message of messages) {
      const key: string = JSON.stringify([before, keyOf(message)]);
      let place = this.places.get(key);
      if (place === undefined) {
        if (!more) break;
        this.places.set(key, (place = this.places.size));
      }
      found.push(place);
      before = place;
    }
    return found;
  }

  /** Records a reply. */
  reply(question: Question, { own, sent, cut }: ReplyMessages, text: Generated, kind = ""): ReplyEnd {
    const segment = this.lay(question);
    this.segments[segment].spans.push(spanOf(text, "policy", this.turns++));
    const messages = [...question.messages, own];
    this.last = messages;
    const node = {
      segment,
      length: question.tokens.length + text.tokens.length,
      rendered: question.rendered,
      written: text.tokens,
      messages,
      cut,
    };
    this.nodes.set(this.placesOf([...question.asked, sent], kind, true).pop()!, node);
    return node;
  }

  /** The segment of a reply, with the call's prompt in it. */
  private lay(question: Question): number {
    const { tokens, after, laid } = question;
    const open = (parent: ConversationSegment["parent"], from: number) => {
      const asked = tokens.slice(from);
      this.segments.push({ spans: asked.length ? [promptSpan(question, asked)] : [], parent });
      return this.segments.length - 1;
    };
    // Another reply to the same call: the two branch after it.
    if (laid) return open({ segment: laid.segment, tokens: laid.length }, laid.length);
    let segment: number;
    if (!after) segment = open(undefined, 0);
    else {
      const { node, shared } = after;
      const isTail = shared === node.length && segmentLength(this.segments[node.segment]) === node.length;
      if (isTail) {
        segment = node.segment;
        this.segments[segment].spans.push(promptSpan(question, tokens.slice(shared)));
      } else
        segment = shared > 1 ? open({ segment: node.segment, tokens: shared }, shared) : open(undefined, 0);
    }
    question.laid = { segment, length: tokens.length };
    return segment;
  }
}

const promptSpan = ({ messages }: Question, tokens: readonly number[]): Span => ({
  by: messages[messages.length - 1]?.role === "tool" ? "tool" : "environment",
  tokens,
});

/** One key for all spellings of a message: calls by name and arguments, ignoring ids. */
function keyOf({ role, content, calls, name }: Message): string {
  const called = calls?.map((c) => [c.name, c.arguments]) ?? [];
  return JSON.stringify([role, content, called, role === "tool" ? "" : (name ?? "")]);
}
