import type { Problem } from "../tasks/text-task.ts";
import { Dialogue } from "./dialogue.ts";
import { type Conversation, type ConverseOptions, own, type Speaker, type Speakers } from "./speaker.ts";

/** Runs a conversation about a problem to its end. Failures of the environment end it and are recorded, not thrown. */
export async function converse(
  problem: Problem,
  speaker: Speaker | Speakers,
  options: ConverseOptions,
): Promise<Conversation> {
  return runToEnd(
    new Dialogue(problem, options),
    typeof speaker === "function" ? { [own]: speaker } : speaker,
  );
}

/** Runs a conversation in progress to its end. */
export async function runToEnd(dialogue: Dialogue, speakers: Speakers): Promise<Conversation> {
  for (;;) {
    const ended = dialogue.ended ?? (await dialogue.advance(speakers));
    if (ended) return ended;
  }
}
