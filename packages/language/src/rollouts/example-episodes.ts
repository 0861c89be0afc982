import { type Episode, type EpisodeSource, fail, type RolloutInput, type Snapshot } from "@reins/core";
import type { ExampleSource } from "@reins/core/examples";
import type { EncodedText } from "../examples/encoder.ts";
import type { Example } from "../examples/example.ts";
import { type TextEpisode, textEpisode } from "./text-episode.ts";

/** Batches without a single usable example after which a run is stopped. */
const patience = 100;

/** An episode of a teacher, and how many of its tokens are learned. */
export interface TaughtEpisode extends TextEpisode {
  readonly learned: number;
}

/** The task's examples as episodes of a teacher. Those that do not fit are left out. */
export class ExampleEpisodes implements EpisodeSource {
  steps = 0;
  private readonly source: ExampleSource<Example>;
  private readonly input: RolloutInput;
  private readonly form: (example: Example, index: number) => readonly TaughtEpisode[];

  constructor(
    source: ExampleSource<Example>,
    input: RolloutInput,
    form: (example: Example, index: number) => readonly TaughtEpisode[],
  ) {
    this.source = source;
    this.input = input;
    this.form = form;
  }

  next(): readonly Episode[] {
    const { task, statistics } = this.input;
    for (let tries = 0; ; tries++) {
      const items = task.next(statistics);
      const episodes = items.flatMap(({ seed = 0 }) => this.form(this.source.read(seed), seed));
      for (const { learned } of episodes) this.steps += learned;
      if (episodes.length || task.exhausted?.()) return episodes;
      if (tries === patience)
        fail(
          this.source.name,
          `the last ${patience} batches have no example that can be learned here: they do not fit into the model's context, or are of another format. reins data check lists formats and lengths.`,
        );
    }
  }

  save(): Snapshot {
    return { steps: this.steps };
  }

  restore(from: Snapshot): void {
    this.steps = (from as { steps: number }).steps;
  }
}

/** A demonstration as an episode of a teacher. */
export function demonstrationEpisode(
  task: string,
  { spans, prompt, completion }: EncodedText,
): TaughtEpisode {
  const problem = { prompt, answer: completion, data: undefined, level: 1 };
  const episode = textEpisode(spans, {
    task,
    truncated: false,
    role: "teacher",
    answered: { problem, text: completion, ended: "end" },
  });
  const learned = spans.reduce((sum, s) => sum + (s.by === "teacher" ? s.tokens.length : 0), 0);
  return Object.assign(episode, { learned });
}

/** Compared completions as episodes of one group, with their scores. */
export const comparisonEpisodes = (
  task: string,
  texts: readonly EncodedText[],
  group: string,
): TaughtEpisode[] =>
  texts.map((text) => Object.assign(demonstrationEpisode(task, text), { score: text.score, group }));
