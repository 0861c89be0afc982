import type { TranscriptLine } from "@reins/studio/wire";
import { useState } from "preact/hooks";
import { noFilter, type TranscriptFilter } from "./transcript-filter.ts";

/** The filter of the transcripts. */
export function TranscriptTools(props: {
  all: readonly TranscriptLine[];
  filter: TranscriptFilter;
  change(filter: TranscriptFilter): void;
}) {
  const { all, filter, change } = props;
  const set = (part: Partial<TranscriptFilter>) => change({ ...filter, ...part });
  const tasks = [...new Set(all.map((t) => t.task))];
  const writers = new Set(all.map((t) => t.by));
  const [isOpen, setOpen] = useState(false);
  const asks = Object.values(filter).some((x) => x !== "");
  const filters = Object.entries(filter).filter(([name, x]) => name !== "words" && x !== "").length;
  return (
    <div class="toolbar text-tools">
      <input
        type="search"
        placeholder="Search prompts and answers"
        aria-label="Search prompts and answers"
        value={filter.words}
        onInput={(e) => set({ words: e.currentTarget.value })}
      />
      <button
        type="button"
        class={`narrow-only ${filters > 0 ? "main" : ""}`}
        aria-expanded={isOpen}
        aria-controls="text-filters"
        onClick={() => setOpen(!isOpen)}
      >
        {filters > 0 ? `Filters: ${filters}` : "Filters"}
      </button>
      <div id="text-filters" class={`text-filters ${isOpen ? "open" : ""}`}>
        <Bounds
          title="Reward"
          values={[filter.reward, filter.rewardTo]}
          set={([reward, rewardTo]) => set({ reward, rewardTo })}
        />
        <Bounds
          title="Tokens"
          values={[filter.tokens, filter.tokensTo]}
          set={([tokens, tokensTo]) => set({ tokens, tokensTo })}
        />
        {tasks.length > 1 && (
          <label>
            Task
            <select value={filter.task} onChange={(e) => set({ task: e.currentTarget.value })}>
              <option value="">any</option>
              {tasks.slice(0, 200).map((task) => (
                <option key={task} value={task}>
                  {task}
                </option>
              ))}
            </select>
          </label>
        )}
        {writers.size > 1 && (
          <label>
            By
            <select value={filter.by} onChange={(e) => set({ by: e.currentTarget.value })}>
              <option value="">any</option>
              <option value="policy">model</option>
              <option value="teacher">teacher</option>
            </select>
          </label>
        )}
      </div>
      {asks && (
        <button type="button" class="plain" onClick={() => change(noFilter)}>
          Clear filter
        </button>
      )}
    </div>
  );
}

type Two = readonly [from: string, to: string];

const Bounds = (props: { title: string; values: Two; set(values: Two): void }) => (
  <span class="bounds">
    {props.title}
    {(["from", "to"] as const).map((end, i) => (
      <label key={end}>
        <span class="soft">{end}</span>
        <input
          type="number"
          step="any"
          aria-label={`${props.title} ${end}`}
          value={props.values[i]}
          onInput={(e) => {
            const { value } = e.currentTarget;
            props.set(i === 0 ? [value, props.values[1]] : [props.values[0], value]);
          }}
        />
      </label>
    ))}
  </span>
);
