import type { TuningListing } from "@reins/studio/wire";
import { get } from "../api.ts";
import { compact, short } from "../format.ts";
import { Badge } from "../parts/badge.tsx";
import { Notice } from "../parts/notice.tsx";
import { Scroll } from "../parts/scroll.tsx";
import { href, type Route } from "../route.ts";
import { usePoll } from "../use-poll.ts";
import { TuningPage } from "./tunings/tuning.tsx";

/** The hyperparameter searches of `reins tune`. */
export function TuningsPage({ route }: { route: Route }) {
  const [, name] = route.path;
  return name === undefined ? <TuningList /> : <TuningPage key={name} name={name} />;
}

function TuningList() {
  const { value, error } = usePoll(() => get<TuningListing>("tunings"), "tunings", 5000);
  if (!value) return error ? <Notice bad>{error.message}</Notice> : <p class="soft">Loading tunings …</p>;
  const { tunings, root } = value;
  if (tunings.length === 0)
    return (
      <div class="empty">
        <h1>No tunings yet</h1>
        <p>{root} contains no hyperparameter searches. Start one:</p>
        <pre>npx reins tune ppo CartPole-v1 --steps 50k</pre>
      </div>
    );
  return (
    <>
      <div class="head">
        <h1>Tunings</h1>
        <span class="soft">{tunings.length === 1 ? "1 search" : `${tunings.length} searches`}</span>
      </div>
      {error && <Notice bad>{error.message}</Notice>}
      <Scroll title="Hyperparameter searches">
        <table class="compact">
          <thead>
            <tr>
              <th>Search</th>
              <th>State</th>
              <th>Algorithm</th>
              <th>Environment</th>
              <th>Method</th>
              <th class="number">Trials</th>
              <th class="number">Steps</th>
              <th class="number">Best return</th>
            </tr>
          </thead>
          <tbody>
            {tunings.map((tuning) => (
              <tr key={tuning.name} class="link">
                <th scope="row">
                  <a href={href(["tunings", tuning.name])}>{tuning.name}</a>
                </th>
                <td>
                  <Badge state={tuning.finished ? "finished" : "unfinished"} />
                </td>
                <td>{tuning.algorithm}</td>
                <td>{tuning.env}</td>
                <td>{tuning.method}</td>
                <td class="number">
                  {tuning.tried} of {tuning.trials}
                </td>
                <td class="number">{compact(tuning.steps)}</td>
                <td class="number">{short(tuning.best)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}
