import type { Problem } from "../tasks/family.ts";
import { Dialogue } from "./dialogue.ts";
import { type Cast, type Conversation, type ConverseOptions, own, type Speaker } from "./speaker.ts";

/** Runs a conversation about a problem to its end. Failures of the environment end it and are recorded, not thrown. */
export async function converse(
  problem: Problem,
  speaker: Speaker | Cast,
  options: ConverseOptions,
): Promise<Conversation> {
  return held(new Dialogue(problem, options), typeof speaker === "function" ? { [own]: speaker } : speaker);
}

/** Runs a conversation in progress to its end. */
export async function held(dialogue: Dialogue, cast: Cast): Promise<Conversation> {
  for (;;) {
    const ended = dialogue.ended ?? (await dialogue.advance(cast));
    if (ended) return ended;
  }
}
