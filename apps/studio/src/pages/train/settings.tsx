import { isBusy, type Trainer } from "../../train/trainer.ts";
import { SettingSlider } from "../run/setting-slider.tsx";

/** Sliders for the settings, which take effect with the next update. */
export function Settings({ trainer }: { trainer: Trainer }) {
  const { settings: all = {}, meanings = {} } = trainer.progress ?? {};
  const settings = Object.entries(all);
  if (!isBusy(trainer.phase) || settings.length === 0) return null;
  return (
    <section class="panel train-settings" aria-label="Settings (changes take effect with the next update)">
      <h2>Settings (changes take effect with the next update)</h2>
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
