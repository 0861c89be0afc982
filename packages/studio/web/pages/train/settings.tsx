import { isBusy, type Trainer } from "../../train/trainer.ts";
import { SettingSlider } from "../run/setting-slider.tsx";

/** The settings of the training as sliders, which act from the next round on. */
export function Settings({ trainer }: { trainer: Trainer }) {
  const { settings: all = {}, meanings = {} } = trainer.progress ?? {};
  const settings = Object.entries(all);
  if (!isBusy(trainer.phase) || settings.length === 0) return null;
  return (
    <section class="panel train-settings" aria-label="Settings that act from the next round on">
      <h2>Settings that act from the next round on</h2>
      <div class="sliders">
        {settings.map(([name, now]) => (
          <SettingSlider
            key={name}
            name={name}
            about={meanings[name]}
            now={now}
            begun={trainer.begun[name]}
            set={(value) => trainer.tell({ do: "set", setting: name, value })}
          />
        ))}
      </div>
    </section>
  );
}
