import type { Maker } from "@reins/core";
import type { Generated } from "../generation/sequence.ts";
import type { Passage } from "../play/text-episode.ts";
import type { Message } from "../tokenizers/message.ts";
import type { Heard, Speaking } from "./speaking.ts";

/** A turn's tokens: which turn it is, beside what is known of any passage. */
export interface TurnPassage extends Passage {
  /** The number of the model's own turn; of what others say, none. */
  readonly turn?: number;
  /** What the model itself thought of each token of its turn. */
  readonly modelLogProbs?: readonly number[];
  readonly entropies?: readonly number[];
}

/** A stretch of what the model saw, in which nothing was rewritten. */
export interface Scene {
  readonly passages: TurnPassage[];
  /** How many tokens it has in common with the beginning of an earlier one. They are not among the passages. */
  readonly parent?: { readonly scene: number; readonly tokens: number };
}

/**
 * What a model has seen of a conversation, token for token. What it wrote stays as it wrote it; what others say is added to it. Where the
 * conversation is put in other words than before (a template that leaves thoughts out, a context that is rebuilt), a new scene opens.
 */
export class Context {
  readonly scenes: Scene[] = [];
  /** The conversation so far. */
  readonly messages: Message[];
  private readonly speaking: Speaking;
  private heard!: Heard;
  private written: readonly number[] = [];
  private all: number[] = [];
  private turns = 0;

  constructor(speaking: Speaking, messages: readonly Message[]) {
    this.speaking = speaking;
    this.messages = [...messages];
    this.open("environment");
  }

  /** All that the model sees now: what it goes on from. */
  get tokens(): readonly number[] {
    return this.all;
  }

  /** Notes a turn, as it was written and by whom. */
  write(message: Message, by: Maker, text: Pick<Generated, "tokens"> & Partial<Generated>): void {
    const { ended: _, ...known } = text;
    this.messages.push(message);
    this.written = text.tokens;
    this.all.push(...text.tokens);
    this.scenes[this.scenes.length - 1].passages.push({ ...known, by, turn: this.turns++ });
  }

  /** What others say, as the model gets to see it. */
  sayable(said: readonly Message[]): readonly Message[] {
    const { sayable } = this.speaking;
    return sayable ? said.map((m) => ({ ...m, content: sayable(m.content) })) : said;
  }

  /** Adds what others say to it. */
  tell(said: readonly Message[]): void {
    const { speaking } = this;
    const messages = this.sayable(said);
    this.messages.push(...messages);
    const by: Maker = messages.some((m) => m.role === "tool") ? "tool" : "environment";
    const more = speaking.follow(this.heard, this.written, this.messages);
    if (!more) return this.open(by);
    this.heard = { tokens: [], text: more.text };
    this.written = [];
    this.all.push(...more.tokens);
    this.scenes[this.scenes.length - 1].passages.push({ by, tokens: more.tokens });
  }

  /** Goes on from another conversation than the one so far: a summary of it, the last turns of it. */
  rebuild(messages: readonly Message[]): void {
    this.messages.splice(0, this.messages.length, ...this.sayable(messages));
    this.open("environment");
  }

  /** The same so far, to go on in another way. */
  fork(): Context {
    const other = Object.create(Context.prototype) as Context;
    return Object.assign(other, this, {
      scenes: this.scenes.map((scene) => ({ ...scene, passages: [...scene.passages] })),
      messages: [...this.messages],
      all: [...this.all],
    });
  }

  private open(by: Maker): void {
    this.heard = this.speaking.hear(this.messages);
    this.written = [];
    const tokens = [...this.heard.tokens];
    const parent = this.longest(tokens);
    this.scenes.push({ passages: [{ by, tokens: tokens.slice(parent?.tokens ?? 0) }], parent });
    this.all = tokens;
  }

  /** The scene that begins most like these tokens; one in common is not worth a word. */
  private longest(tokens: readonly number[]): Scene["parent"] {
    let best: Scene["parent"];
    this.scenes.forEach((_, scene) => {
      const shared = common(sceneTokens(this.scenes, scene), tokens);
      if (shared > 1 && shared > (best?.tokens ?? 0)) best = { scene, tokens: shared };
    });
    return best;
  }
}

/** All tokens of a scene, those that it shares first. */
export function sceneTokens(scenes: readonly Scene[], scene: number): number[] {
  const { passages, parent } = scenes[scene];
  const all = parent ? sceneTokens(scenes, parent.scene).slice(0, parent.tokens) : [];
  for (const { tokens } of passages) for (const token of tokens) all.push(token);
  return all;
}

/** How many they are. */
export const sceneLength = ({ passages, parent }: Scene): number =>
  passages.reduce((sum, p) => sum + p.tokens.length, parent?.tokens ?? 0);

/** How many tokens two texts begin with alike; of the second, the last is left to be read. */
export function common(a: readonly number[], b: readonly number[]): number {
  let shared = 0;
  while (shared < a.length && shared < b.length - 1 && a[shared] === b[shared]) shared++;
  return shared;
}

/** How many tokens the model wrote itself. */
export const ownTokens = (scenes: readonly Scene[]): number =>
  scenes.flatMap((s) => s.passages).reduce((sum, p) => sum + (p.turn === undefined ? 0 : p.tokens.length), 0);
