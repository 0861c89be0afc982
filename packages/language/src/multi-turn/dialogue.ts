import { fail } from "@reins/core";
import { stream } from "@reins/core/random";
import { plainFormat } from "../chat/chat-format.ts";
import { ConversationContext, ownTokens } from "../chat/context.ts";
import { episodeOf, type ResolvedEpisode } from "../tasks/episode.ts";
import type { ConversationState, EnvironmentReply, Problem } from "../tasks/text-task.ts";
import type { Message } from "../tokenizers/message.ts";
import type { CallFormat } from "../tools/call-format.ts";
import { reasonOf } from "../tools/reason.ts";
import { runCalls } from "../tools/run-calls.ts";
import { terse } from "../tools/terse-format.ts";
import type { ConversationResult } from "./conversation-episode.ts";
import { Environment } from "./environment.ts";
import { learns, openingOf, Participant } from "./participant.ts";
import { type Conversation, type ConverseOptions, own, type Speakers, type SpokenTurn } from "./speaker.ts";

/** A conversation in progress, turn by turn. */
export class Dialogue {
  /** The finished conversation. */
  ended: Conversation | undefined;
  /** Turns so far. */
  turns = 0;
  private readonly problem: Problem;
  private readonly options: ConverseOptions;
  private readonly episode: ResolvedEpisode;
  private readonly format: CallFormat;
  private readonly environment: Environment;
  private readonly participants = new Map<string, Participant>();
  private readonly calls: Record<string, number> = {};
  private readonly messages: Message[] = [];
  private next = own;
  private answer = "";
  private how: ConversationResult["ended"] = "end";
  private opening = 0;

  constructor(problem: Problem, options: ConverseOptions, from?: Dialogue) {
    this.problem = problem;
    this.options = options;
    this.episode = episodeOf(options.task);
    this.format = this.episode.format ?? options.format ?? terse;
    const { task, opening = openingOf, seed } = options;
    if (from) {
      this.environment = from.environment.fork(seed);
      for (const [role, part] of from.participants) this.participants.set(role, part.fork());
      const { turns, next, answer, how, opening } = from;
      Object.assign(this, { turns, next, answer, how, opening });
      Object.assign(this.calls, from.calls);
      this.messages.push(...from.messages);
      return;
    }
    this.environment = new Environment(task, problem, seed);
    this.messages.push(...this.open(own, opening(problem)).context.messages);
    this.opening = this.messages.length;
    const { wrong } = this.environment.begin();
    if (wrong !== undefined) this.close({ failed: wrong });
  }

  /** A copy that continues with its own random numbers. State that tools keep must be plain data. */
  fork(seed: number): Dialogue {
    return new Dialogue(this.problem, { ...this.options, seed }, this);
  }

  get written(): number {
    const { roles } = this.episode;
    return [...this.participants.values()]
      .filter(({ role }) => role === own || learns(roles[role]))
      .reduce((sum, p) => sum + ownTokens(p.segments), 0);
  }

  /** Takes the next turn and the environment's reply. */
  async advance(speakers: Speakers): Promise<Conversation | undefined> {
    const { belief, roles, turns } = this.episode;
    if (this.turns >= turns) return this.close({ truncated: true });
    const part = this.participants.get(this.next)!;
    const speaker =
      speakers[part.role] ??
      fail(`task ${this.options.task.id}`, `the role ${part.role} has no speaker. Add it to the speakers.`);
    const truth = belief && part.role === own && speaker.probabilityOf ? this.environment.truth() : undefined;
    if (truth?.wrong !== undefined) return this.close({ failed: truth.wrong });
    let spoken: SpokenTurn | undefined;
    try {
      if (belief && truth) {
        const { weight, after } = belief;
        part.rewardBelief(await speaker.probabilityOf!(part.context, truth.value, after), weight);
      }
      spoken = await speaker(part.context, this.stateFor(part), part.rewards.length);
    } catch (error) {
      // A failing model is an error of the run; a failing scripted role is a failure of its environment.
      if (part.role === own || typeof roles[part.role]?.by !== "function") throw error;
      return this.close({ failed: `${part.role} failed to speak: ${reasonOf(error)}` });
    }
    if (!spoken) return this.close({ truncated: true });
    return this.answered(part, spoken, this.note(part, spoken));
  }

  /** Records a turn. */
  private note(
    part: Participant,
    { text, span, ended }: SpokenTurn,
  ): { message: Message; malformed?: string } {
    const { calls, malformed } = this.format.parse(text, this.episode.tools);
    const message: Message = {
      role: "assistant",
      content: text,
      ...(part.role === own ? {} : { name: part.role }),
      ...(calls.length ? { calls: calls.map((c) => ({ ...c, id: `${this.turns}-${c.id}` })) } : {}),
    };
    if (part.role === own) this.answer = text;
    this.how = ended;
    part.context.write(message, span);
    this.messages.push(message);
    part.rewards.push(0);
    this.turns++;
    return { message, malformed };
  }

  /** Processes a turn: tool results, the environment's reply, or the end. */
  private async answered(
    part: Participant,
    { ended }: SpokenTurn,
    { message, malformed }: { message: Message; malformed?: string },
  ): Promise<Conversation | undefined> {
    // A truncated turn calls no tools: its calls may be incomplete.
    const whole = ended !== "limit";
    if (whole && message.calls) return this.reply(part, message, await this.runCalls(part, message.calls));
    if (malformed !== undefined) {
      this.calls.malformed = (this.calls.malformed ?? 0) + 1;
      return this.reply(part, message, [{ role: "tool", content: `error: ${malformed}` }]);
    }
    if (!this.episode.turn) return this.reply(part, message) ?? this.close({ truncated: !whole });
    const reply = await this.environment.turn(message);
    if (reply.wrong !== undefined) return this.close({ failed: reply.wrong });
    const { value: turn } = reply;
    part.addReward(turn.reward ?? 0);
    const answers = await this.replyMessages(turn, part);
    return this.reply(part, message, answers, turn.to) ?? (answers && !turn.done ? undefined : this.close());
  }

  /** The environment's message to the next role; undefined if there is none. */
  private async replyMessages(
    { done, calls, say }: EnvironmentReply,
    part: Participant,
  ): Promise<readonly Message[] | undefined> {
    if (done) return undefined;
    if (calls?.length)
      return this.runCalls(
        part,
        calls.map((c, i) => ({ ...c, id: `${this.turns - 1}-call-${i}` })),
      );
    return say === undefined ? undefined : [{ role: "user", content: say }];
  }

  private async runCalls(
    part: Participant,
    wanted: NonNullable<Message["calls"]>,
  ): Promise<readonly Message[]> {
    const { seed } = this.options;
    const { state, store } = this.environment;
    const { tools } = this.episode;
    const carried = await runCalls(wanted, { tools, state, store, seed: stream(seed, "calls", this.turns) });
    for (const { status } of carried) this.calls[status] = (this.calls[status] ?? 0) + 1;
    part.price += carried.reduce((sum, c) => sum + c.price, 0);
    return carried.map((c) => c.message);
  }

  /**
   * Rewards a turn and passes the replies to the next role. Returns the end of the conversation if the environment
   * fails.
   */
  private reply(
    part: Participant,
    turn: Message,
    answers: readonly Message[] = [],
    to = part.role,
  ): Conversation | undefined {
    const paid = this.environment.turnReward(this.stateFor(part), turn, answers);
    if (paid.wrong !== undefined) return this.close({ failed: paid.wrong });
    part.addReward(paid.value);
    if (!answers.length) return undefined;
    const next = this.participants.get(to);
    if (!next) return this.join(to, answers);
    const seen = next.context.encodable(answers);
    this.messages.push(...seen);
    const rebuilt = to === own ? this.environment.rebuild(this.stateFor(next)) : { value: undefined };
    if (rebuilt.wrong !== undefined) return this.close({ failed: rebuilt.wrong });
    if (rebuilt.value) next.context.rebuild(rebuilt.value);
    else next.context.append(seen);
    this.next = to;
    return undefined;
  }

  /** Starts a role's first turn: messages to it follow its opening messages. */
  private join(role: string, said: readonly Message[]): Conversation | undefined {
    const opening = this.environment.opening(role);
    if (opening.wrong !== undefined) return this.close({ failed: opening.wrong });
    const { messages, tokens } = this.open(role, [...opening.value, ...said]).context;
    if (tokens.length === 0)
      return this.close({ failed: `${role} has the next turn, but its context is empty` });
    this.messages.push(...messages.slice(opening.value.length));
    this.next = role;
    return undefined;
  }

  private open(role: string, opening: readonly Message[]): Participant {
    const { tokenizer, chatFormat = plainFormat(tokenizer) } = this.options;
    const { encodable } = chatFormat;
    // A problem uses the task's own alphabet; messages may use any characters.
    const seen =
      role === own || !encodable ? opening : opening.map((m) => ({ ...m, content: encodable(m.content) }));
    const part = new Participant(role, new ConversationContext(chatFormat, seen));
    this.participants.set(role, part);
    return part;
  }

  private stateFor({ role }: Participant): ConversationState {
    const { messages, turns } = this;
    return { state: this.environment.state as never, messages, turns, ...(role === own ? {} : { role }) };
  }

  /** Ends the conversation. */
  private close(more: { truncated?: boolean; failed?: string } = {}): Conversation {
    const { problem, answer: text, messages, calls } = this;
    const part = this.participants.get(own)!;
    const result = ({ role, rewards, price }: Participant): ConversationResult => ({
      problem,
      opening: this.opening,
      text,
      ended: more.truncated ? "limit" : this.how,
      messages,
      rewards,
      state: this.environment.state,
      calls,
      price,
      ...(role === own ? {} : { role }),
      ...(more.failed === undefined ? {} : { failed: more.failed }),
    });
    const others = [...this.participants.values()].filter(
      ({ role, rewards }) => role !== own && rewards.length > 0 && learns(this.episode.roles[role]),
    );
    return (this.ended = {
      context: part.context,
      segments: part.segments,
      truncated: more.truncated ?? false,
      result: result(part),
      ...(others.length ? { others: others.map((p) => ({ segments: p.segments, result: result(p) })) } : {}),
    });
  }
}
