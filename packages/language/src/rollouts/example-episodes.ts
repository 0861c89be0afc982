import { type Episode, type EpisodeSource, fail, type RolloutInput, type Snapshot } from "@reins/core";
import { type ExampleSource, exampleFault } from "@reins/core/examples";
import type { EncodedText } from "../examples/encoder.ts";
import type { Example } from "../examples/example.ts";
import { type TextEpisode, textEpisode } from "./text-episode.ts";

/** Batches without a single usable example after which a run is stopped. */
const patience = 100;

/** An episode of a teacher, and how many of its tokens count as steps. */
export interface TaughtEpisode extends TextEpisode {
  readonly learned: number;
}

/** Settings of {@link ExampleEpisodes}. */
export interface ExampleEpisodesOptions {
  readonly source: ExampleSource<Example>;
  readonly input: RolloutInput;
  /** The texts of an example; none if it cannot be learned. Throws if it is refused. */
  texts(example: Example): readonly EncodedText[];
  /** The episodes of a batch, from the texts of its examples. `batch` is its number. */
  episodes(examples: readonly (readonly EncodedText[])[], batch: number): readonly TaughtEpisode[];
  /** Called with the reason why an example is left out, if it is malformed or refused. */
  onFault?(message: string): void;
}

/** The task's examples as episodes of a teacher. Those that do not fit or are refused are left out and counted. */
export class ExampleEpisodes implements EpisodeSource {
  steps = 0;
  private batches = 0;
  private leftOut = 0;
  private fault: string | undefined;
  private readonly options: ExampleEpisodesOptions;

  constructor(options: ExampleEpisodesOptions) {
    this.options = options;
  }

  next(): readonly Episode[] {
    const { task, statistics } = this.options.input;
    for (let tries = 0; ; tries++) {
      const items = task.next(statistics);
      const texts = items.map(({ seed = 0 }) => this.textsOf(seed)).filter((all) => all.length > 0);
      this.leftOut += items.length - texts.length;
      const episodes = texts.length ? this.options.episodes(texts, this.batches++) : [];
      for (const { learned } of episodes) this.steps += learned;
      const isOver = task.exhausted?.() ?? false;
      if (episodes.length || (isOver && this.steps > 0)) return episodes;
      if (isOver || tries === patience)
        fail(
          this.options.source.name,
          `no example${isOver ? "" : ` of the last ${patience} batches`} can be used: ${(this.fault ?? "they do not fit into the model's context, or are of another format").replace(/\.$/, "")}. reins data check --model shows formats and lengths.`,
        );
    }
  }

  private textsOf(index: number): readonly EncodedText[] {
    const { source, onFault } = this.options;
    try {
      return this.options.texts(source.read(index));
    } catch (error) {
      const { message } = exampleFault(error);
      const at = source.locate(index);
      this.fault = message.startsWith(at) ? message : `${at}: ${message}`;
      onFault?.(this.fault);
      return [];
    }
  }

  metrics(): { readonly [name: string]: number } {
    return { "data/left-out": this.leftOut };
  }

  save(): Snapshot {
    return { steps: this.steps, batches: this.batches, leftOut: this.leftOut };
  }

  restore(from: Snapshot): void {
    const { steps, batches, leftOut } = from as { steps: number; batches: number; leftOut: number };
    Object.assign(this, { steps, batches, leftOut });
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
