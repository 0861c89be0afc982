import { common, type Scene, sceneLength, sceneTokens, type TurnPassage } from "../conversation/context.ts";
import type { Heard, Speaking } from "../conversation/speaking.ts";
import type { Generated } from "../generation/sequence.ts";
import type { Message } from "../tokenizers/message.ts";

/** The end of a reply: where it stands, and what is needed to go on from it. */
export interface ReplyEnd {
  readonly scene: number;
  /** Tokens up to there. */
  readonly length: number;
  readonly heard: Heard;
  readonly written: readonly number[];
  readonly messages: readonly Message[];
}

/** A question that is being answered. */
export interface Question {
  /** All that the model sees: what it goes on from. */
  readonly tokens: readonly number[];
  readonly messages: readonly Message[];
  /** The same as the client sent them. */
  readonly asked: readonly Message[];
  /** @internal */
  readonly heard: Heard;
  /** The reply that it follows on, and how many of that one's tokens are its own beginning. */
  readonly after?: { readonly node: ReplyEnd; readonly shared: number };
  /** @internal Where it was laid, once it has a reply. */
  laid?: { scene: number; length: number };
}

/**
 * Calls of one client as they hang together: a call that begins with an earlier one's messages and reply goes on from the very tokens that
 * were sampled there. Calls one after another are one scene; where two go on from the same place, or a template puts what was said
 * in other words, a new scene opens at the place where they part.
 */
export class CallTree {
  readonly scenes: Scene[] = [];
  private readonly nodes = new Map<number, ReplyEnd>();
  /** Places of conversations by the place before and what is said there: each message is looked at once, however many come before it. */
  private readonly places = new Map<string, number>();
  private turns = 0;
  /** The conversation that was replied to last, with that reply. */
  last: readonly Message[] = [];

  /** How many replies there are. */
  get replies(): number {
    return this.turns;
  }

  /** A question, as the model sees it. `kind` is what else decides how it is put: tools, formats. */
  ask(messages: readonly Message[], speaking: Speaking, kind = ""): Question {
    const places = this.placesOf(messages, kind);
    for (let count = Math.min(places.length, messages.length - 1); count > 0; count--) {
      const node = this.nodes.get(places[count - 1]);
      if (!node) continue;
      // The model's own words stay as it wrote them, whatever the client makes of them.
      const all = [...node.messages, ...messages.slice(count)];
      const path = sceneTokens(this.scenes, node.scene).slice(0, node.length);
      const more = speaking.follow(node.heard, node.written, all);
      if (more)
        return {
          tokens: [...path, ...more.tokens],
          messages: all,
          asked: messages,
          heard: { tokens: [], text: more.text },
          after: { node, shared: path.length },
        };
      const heard = speaking.hear(all);
      return {
        tokens: heard.tokens,
        messages: all,
        asked: messages,
        heard,
        after: { node, shared: common(path, heard.tokens) },
      };
    }
    const heard = speaking.hear(messages);
    return { tokens: heard.tokens, messages, asked: messages, heard };
  }

  /** The places of messages, one after another, as far as they are known; with `more` those that are not are made. */
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

  /** Notes a reply: `message` is what the model wrote, `sent` what the client got and will send back. */
  reply(question: Question, message: Message, sent: Message, text: Generated, kind = ""): ReplyEnd {
    const { ended: _, ...known } = text;
    const spoken: TurnPassage = { by: "policy", ...known, turn: this.turns++ };
    const scene = this.lay(question);
    this.scenes[scene].passages.push(spoken);
    const messages = [...question.messages, message];
    this.last = messages;
    const node = {
      scene,
      length: question.tokens.length + text.tokens.length,
      heard: question.heard,
      written: text.tokens,
      messages,
    };
    this.nodes.set(this.placesOf([...question.asked, sent], kind, true).pop()!, node);
    return node;
  }

  /** The scene that a reply to a question belongs to, with the question in it. */
  private lay(question: Question): number {
    const { tokens, after, laid } = question;
    const open = (parent: Scene["parent"], from: number) => {
      const asked = tokens.slice(from);
      this.scenes.push({ passages: asked.length ? [passageOf(question, asked)] : [], parent });
      return this.scenes.length - 1;
    };
    // Another reply to the same question: they part behind it.
    if (laid) return open({ scene: laid.scene, tokens: laid.length }, laid.length);
    let scene: number;
    if (!after) scene = open(undefined, 0);
    else {
      const { node, shared } = after;
      const isTail = shared === node.length && sceneLength(this.scenes[node.scene]) === node.length;
      if (isTail) {
        scene = node.scene;
        this.scenes[scene].passages.push(passageOf(question, tokens.slice(shared)));
      } else scene = shared > 1 ? open({ scene: node.scene, tokens: shared }, shared) : open(undefined, 0);
    }
    question.laid = { scene, length: tokens.length };
    return scene;
  }
}

const passageOf = ({ messages }: Question, tokens: readonly number[]): TurnPassage => ({
  by: messages[messages.length - 1]?.role === "tool" ? "tool" : "environment",
  tokens,
});

/** What a client may write in several ways is one key: calls by name and arguments, whatever their ids. */
function keyOf({ role, content, calls, name }: Message): string {
  const called = calls?.map((c) => [c.name, c.arguments]) ?? [];
  return JSON.stringify([role, content, called, role === "tool" ? "" : (name ?? "")]);
}
