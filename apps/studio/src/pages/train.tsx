import { useEffect, useMemo, useState } from "preact/hooks";
import { Chart } from "../curves/chart.tsx";
import { lineColor } from "../curves/colors.ts";
import { Span } from "../curves/span.ts";
import { Notice } from "../parts/notice.tsx";
import { go, href, type Route } from "../route.ts";
import { Answers } from "../train/answers.tsx";
import { Player } from "../train/player.tsx";
import { scoreOf, taskOf, tasks, unitOf } from "../train/tasks.ts";
import { isBusy, trainer } from "../train/trainer.ts";
import { MoreCurves } from "./train/more-curves.tsx";
import { SavedFile } from "./train/saved-file.tsx";
import { Settings } from "./train/settings.tsx";
import { TaskChoice } from "./train/task-choice.tsx";
import { TrainControls } from "./train/train-controls.tsx";
import "../styles/train.css";

/** Trains an agent in the page, and shows its episodes. */
export function TrainPage({ route }: { route: Route }) {
  const [, redraw] = useState(0);
  useEffect(() => trainer.follow(() => redraw((n) => n + 1)), []);
  const { phase, curves } = trainer;
  const learning = trainer.task ? taskOf(trainer.task) : undefined;
  const chosen = (route.path[1] && taskOf(route.path[1])) || learning || tasks[0];
  // A loaded agent selects its task.
  useEffect(() => {
    if (learning && (isBusy(phase) || phase === "loaded")) go(href(["train", learning.id]), true);
  }, [learning]);
  const shown = learning?.id === chosen.id ? learning : undefined;
  const span = useMemo(() => new Span(), [chosen.id]);
  const main = scoreOf(chosen);
  const curve = shown && curves.get(main);
  return (
    <>
      <div class="head">
        <h1>Train here</h1>
        <span class="soft">Trains an agent in this page, without a server. No data leaves your browser.</span>
      </div>
      <TaskChoice chosen={chosen} />
      <TrainControls
        task={chosen}
        trainer={trainer}
        here={shown !== undefined}
        steps={Number(route.query.get("steps")) || undefined}
      />
      {trainer.note && <Notice bad={trainer.note.bad}>{trainer.note.text}</Notice>}
      {shown && trainer.savedAs && <SavedFile name={trainer.savedAs} task={shown} />}
      {shown ? (
        <>
          <div class="two learning">
            {phase !== "loaded" ? (
              <Chart
                title={chosen.pace > 0 ? "Return" : "Accuracy, percent"}
                about={chosen.goal}
                span={span}
                lines={curve ? [{ label: main, color: lineColor(0), curve }] : []}
                smoothing={0}
                log={false}
                axis="step"
                unit={unitOf(chosen)}
                height={320}
              />
            ) : (
              <section class="panel empty" aria-label="Curve">
                <h2>Agent loaded</h2>
                <p>It plays without training. Press Continue training to train it further.</p>
              </section>
            )}
            {chosen.pace > 0 ? (
              <Player key={chosen.id} trainer={trainer} pace={chosen.pace} title={chosen.title} />
            ) : (
              <Answers answers={trainer.answers} />
            )}
          </div>
          <Settings trainer={trainer} />
          <MoreCurves curves={curves} but={main} span={span} unit={unitOf(chosen)} />
        </>
      ) : (
        <div class="empty">
          <h2>{chosen.title}: no agent yet</h2>
          <p>Press Train to train one and watch it play. {chosen.goal}</p>
          <p>Press Load to open a saved agent, from this page or from Node.</p>
        </div>
      )}
    </>
  );
}
