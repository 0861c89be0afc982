import { useState } from "preact/hooks";
import type { TranscriptLine } from "../../../src/wire.ts";
import { allOf, type Wish } from "./transcript-filter.ts";

/** What is looked for among texts. */
export function TranscriptTools(props: {
  all: readonly TranscriptLine[];
  wish: Wish;
  change(wish: Wish): void;
}) {
  const { all, wish, change } = props;
  const set = (part: Partial<Wish>) => change({ ...wish, ...part });
  const tasks = [...new Set(all.map((t) => t.task))];
  const writers = new Set(all.map((t) => t.by));
  const [isOpen, setOpen] = useState(false);
  const asks = Object.values(wish).some((x) => x !== "");
  const filters = Object.entries(wish).filter(([name, x]) => name !== "words" && x !== "").length;
  return (
    <div class="toolbar text-tools">
      <input
        type="search"
        placeholder="Words of prompt or answer"
        aria-label="Words of prompt or answer"
        value={wish.words}
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
          values={[wish.reward, wish.rewardTo]}
          set={([reward, rewardTo]) => set({ reward, rewardTo })}
        />
        <Bounds
          title="Tokens"
          values={[wish.tokens, wish.tokensTo]}
          set={([tokens, tokensTo]) => set({ tokens, tokensTo })}
        />
        {tasks.length > 1 && (
          <label>
            Task
            <select value={wish.task} onChange={(e) => set({ task: e.currentTarget.value })}>
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
            <select value={wish.by} onChange={(e) => set({ by: e.currentTarget.value })}>
              <option value="">all</option>
              <option value="policy">the model</option>
              <option value="teacher">a teacher</option>
            </select>
          </label>
        )}
      </div>
      {asks && (
        <button type="button" class="plain" onClick={() => change(allOf)}>
          All texts
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
