import type { TuningDetail } from "@reins/studio/wire";
import { useMemo, useState } from "preact/hooks";
import { get } from "../../api.ts";
import { compact } from "../../format.ts";
import { Notice } from "../../parts/notice.tsx";
import { href } from "../../route.ts";
import { usePoll } from "../../use-poll.ts";
import { ChosenTrial } from "./best.tsx";
import { Parallel } from "./parallel.tsx";
import { Scatter } from "./scatter.tsx";
import { rungsOf, trialRows } from "./trial-rows.ts";
import { Trials } from "./trials.tsx";

/** One search: plots and table of its trials, and the command for the best settings. */
export function TuningPage({ name }: { name: string }) {
  const { value: tuning, error } = usePoll(
    () => get<TuningDetail>(`tunings/${encodeURIComponent(name)}`),
    name,
    (v) => (v?.finished ? 30_000 : 3000),
  );
  const [chosen, choose] = useState<number>();
  const [asked, ask] = useState<string>();
  const rungs = useMemo(() => (tuning ? rungsOf(tuning) : []), [tuning]);
  // At the first rung all trials can be compared.
  const at = asked === "last" ? "last" : Number(asked ?? rungs[0]?.steps);
  const trials = useMemo(() => (tuning ? trialRows(tuning, at) : []), [tuning, at]);
  if (!tuning) return error ? <Notice bad>{error.message}</Notice> : <p class="soft">Loading {name} …</p>;
  const pick = chosen ?? tuning.bestTrial;
  // The selected trial shows its last result.
  const trial = trialRows(tuning, "last").find((t) => t.trial === pick);
  const own = { tuning, trials, chosen: pick, choose };
  return (
    <>
      <p class="crumb">
        <a href={href(["tunings"])}>← Tunings</a>
      </p>
      <div class="head">
        <h1>{name}</h1>
        <span class="soft">
          {tuning.algorithm} on {tuning.env}, {tuning.method}, {tuning.tried} of {tuning.trials} trials,{" "}
          {compact(tuning.steps)} steps, {tuning.seeds.length} {tuning.seeds.length === 1 ? "seed" : "seeds"}{" "}
          each
        </span>
        <span class="space" />
        {rungs.length > 1 && (
          <label>
            Return after
            <select value={String(at)} onChange={(e) => ask(e.currentTarget.value)}>
              {rungs.map(({ steps, trials: n }) => (
                <option key={steps} value={String(steps)}>
                  {compact(steps)} steps ({n} trials)
                </option>
              ))}
              <option value="last">last rung of each trial</option>
            </select>
          </label>
        )}
      </div>
      {error && <Notice bad>{error.message}</Notice>}
      {trial && <ChosenTrial tuning={tuning} trial={trial} />}
      <Parallel {...own} />
      <Scatter {...own} />
      <Trials {...own} />
    </>
  );
}
