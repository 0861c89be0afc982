import type { TuningDetail, TuningTest } from "@reins/studio/wire";
import { compact, short } from "../../format.ts";
import { Command } from "../../parts/command.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { intervalText } from "../../statistics/interval.ts";
import type { TrialRow } from "./trial-rows.ts";

/** The settings of the chosen trial, and the command to train with them. */
export function ChosenTrial({ tuning, trial }: { tuning: TuningDetail; trial: TrialRow }) {
  const isBest = trial.trial === tuning.bestTrial;
  // Population-based training ends with a schedule, which only the tuning's command contains.
  const command = isBest ? (tuning.command ?? trial.command) : trial.command;
  return (
    <section class="panel">
      <h2>
        {isBest
          ? `Best settings${tuning.finished ? "" : " so far"} (trial ${trial.trial})`
          : `Trial ${trial.trial}`}
      </h2>
      <dl class="facts">
        <div>
          <dt>Return after {compact(trial.steps)} steps</dt>
          <dd>{trial.score === null ? (trial.failed ?? "running") : short(trial.score)}</dd>
        </div>
        {tuning.space.map(({ name }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{String(trial.settings[name] ?? "–")}</dd>
          </div>
        ))}
      </dl>
      {command !== undefined && (
        <div class="row">
          <Command text={command} />
          <CopyButton text={command} />
        </div>
      )}
      {isBest && tuning.test && (
        <p>
          On {tuning.test.best.scores.length} held-out seeds: {testText(tuning.test.best)} with these
          settings, {testText(tuning.test.plain)} without tuning.
          {isNotBetter(tuning.test) && (
            <> Tuning did not help: these settings are not better on the held-out seeds.</>
          )}
        </p>
      )}
    </section>
  );
}

/** Whether the chosen settings are no better than the settings without tuning. */
const isNotBetter = ({ best, plain }: NonNullable<TuningDetail["test"]>): boolean =>
  best.mean !== null && plain.mean !== null && best.mean <= plain.mean;

function testText({ mean, interval: [low, high], scores }: TuningTest): string {
  if (scores.length < 2 || low === null || high === null) return short(mean);
  return `${short(mean)} (${intervalText({ low, high })})`;
}
