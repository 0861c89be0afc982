import { isBusy, type Trainer } from "../../train/trainer.ts";
import { SettingSlider } from "../run/setting-slider.tsx";

/** Settings of parts that none of the trainings here has: to move them would do nothing. */
const idle = /^(imitation|popArt)/;

/** The settings of the training as sliders, which act from the next round on. */
export function Settings({ trainer }: { trainer: Trainer }) {
  // A limit that there is none of is infinite, and has no place on a slider.
  const settings = Object.entries(trainer.progress?.settings ?? {}).filter(
    ([name, now]) => Number.isFinite(now) && !idle.test(name),
  );
  if (!isBusy(trainer.phase) || settings.length === 0) return null;
  return (
    <section class="panel train-settings" aria-label="Settings that act at once">
      <h2>Settings that act at once</h2>
      <div class="sliders">
        {settings.map(([name, now]) => (
          <SettingSlider
            key={name}
            name={name}
            now={now}
            begun={trainer.begun[name]}
            set={(value) => trainer.tell({ do: "set", setting: name, value })}
          />
        ))}
      </div>
    </section>
  );
}
