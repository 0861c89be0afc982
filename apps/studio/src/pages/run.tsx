import type { RunDetail } from "@reins/studio/wire";
import { get, ofRun } from "../api.ts";
import { compact, duration, short } from "../format.ts";
import { Badge } from "../parts/badge.tsx";
import { Notice } from "../parts/notice.tsx";
import { href, type Route } from "../route.ts";
import { usePoll } from "../use-poll.ts";
import { RunActions } from "./run/actions.tsx";
import { Controls } from "./run/controls.tsx";
import { Curves } from "./run/curves.tsx";
import { Diagnosis } from "./run/diagnosis.tsx";
import { Episodes } from "./run/episodes.tsx";
import { movedIn, useEvents } from "./run/manual-changes.ts";
import { Overview } from "./run/overview.tsx";
import { movingIn, Signals } from "./run/signals.tsx";
import { stepUnit } from "./run/step-unit.ts";
import { TranscriptsTab } from "./run/transcripts.tsx";

/** One run: its state, curves, episodes, transcripts and settings, and controls while it trains. */
export function RunPage({ route }: { route: Route }) {
  const [, name] = route.path;
  return name === undefined ? (
    <NoRun why="The URL does not name a run." />
  ) : (
    <Run name={name} route={route} />
  );
}

function Run({ name, route }: { name: string; route: Route }) {
  const {
    value: run,
    error,
    again,
  } = usePoll(
    () => get<RunDetail>(ofRun(name)),
    name,
    (r) => (r && r.state !== "running" ? 5000 : 1500),
  );
  const moved = movedIn(useEvents({ name, state: run?.state ?? "running" }));
  if (!run) return error ? <NoRun why={`${name}: ${error.message}`} /> : <p class="soft">Reading {name} …</p>;
  if (run.state === "unreadable") return <NoRun why={`${name}: ${run.problem}`} />;
  const all: [string, string, boolean][] = [
    ["curves", "Curves", true],
    ["signals", "Signals", movingIn(run, moved).length > 0],
    ["episodes", "Episodes", run.episodes > 0],
    ["transcripts", "Transcripts", run.transcripts],
    ["about", "Settings and log", true],
  ];
  const tabs = all.filter(([, , there]) => there);
  const tab = tabs.find(([to]) => to === route.path[2])?.[0] ?? "curves";
  const unit = stepUnit(run);
  return (
    <>
      <div class="head">
        <h1>{run.name}</h1>
        <Badge state={run.state} />
        <span class="soft">
          {run.algorithm} on {run.env}, seed {run.seed}
        </span>
      </div>
      {error && <Notice bad>{`Not up to date: ${error.message}`}</Notice>}
      {run.problem && <Notice bad>{run.problem}</Notice>}
      {run.state === "running" ? (
        <Controls run={run} again={again} />
      ) : (
        <dl class="facts panel">
          <Fact name="Evaluation return" value={freshOf(run)} />
          <Fact name="Training return" value={short(run.return)} />
          <Fact
            name={unit === "tokens" ? "Tokens" : "Steps"}
            value={`${compact(run.steps)} of ${compact(run.budget)}`}
          />
          <Fact name="Time" value={duration(run.seconds)} />
          <Fact
            name="Speed"
            value={run.stepsPerSecond === null ? "–" : `${compact(run.stepsPerSecond)} ${unit}/s`}
          />
        </dl>
      )}
      {(run.state === "stopped" || run.state === "crashed") && run.goOn && (
        <p class="soft">
          Resume it with <code>{run.goOn}</code>
          {run.reproduce === undefined && ", or from your program if the environment is defined there"}.
        </p>
      )}
      <RunActions key={run.name} run={run} />
      <nav class="tabs" aria-label="Parts of the run" style={{ marginTop: "20px" }}>
        {tabs.map(([to, title]) => (
          <a
            key={to}
            // The query of one tab is kept while another is open.
            href={href(["run", name, to], Object.fromEntries(route.query))}
            aria-current={tab === to ? "page" : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      {tab === "signals" ? (
        <Signals run={run} />
      ) : tab === "episodes" ? (
        <Episodes run={run} route={route} />
      ) : tab === "transcripts" ? (
        <TranscriptsTab run={run} route={route} />
      ) : tab === "about" ? (
        <Overview run={run} again={again} />
      ) : (
        <>
          <Diagnosis key={run.name} run={run} />
          <Curves run={run} />
        </>
      )}
    </>
  );
}

/** The evaluation return with its standard deviation and number of episodes. */
function freshOf({ fresh, summary }: RunDetail): string {
  const { std, episodes } = (summary?.return ?? {}) as Record<string, unknown>;
  if (fresh === null) return "not evaluated";
  if (typeof std !== "number" || typeof episodes !== "number") return short(fresh);
  // A spread this small is rounding error.
  const seen = std < 1e-9 * Math.abs(fresh) ? 0 : std;
  return `${short(fresh)}, sd ${short(seen)}, ${episodes} episodes`;
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

const NoRun = ({ why }: { why: string }) => (
  <>
    <p class="crumb">
      <a href={href(["runs"])}>← All runs</a>
    </p>
    <h1 class="not-there">This run cannot be shown</h1>
    <Notice bad>{why}</Notice>
  </>
);
