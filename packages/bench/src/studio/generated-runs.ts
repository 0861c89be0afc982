import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Writes the files of a run with a number of rows of a few metrics. */
export function makeRun(root: string, name: string, rows: number, seed: number): void {
  const path = join(root, name);
  mkdirSync(path, { recursive: true });
  const created = new Date(Date.UTC(2026, 0, 1) + seed * 60_000).toISOString();
  const config = {
    ...{ format: 1, reins: "0.1.0", created, options: { learningRate: 0.001, clip: 0.2 }, envOptions: {} },
    ...{ algorithm: "ppo", env: "CartPole-v1", steps: rows, seed },
  };
  writeFileSync(join(path, "config.json"), JSON.stringify(config, null, 2));
  writeFileSync(join(path, "summary.json"), JSON.stringify({ status: "finished", steps: rows }));
  const [metrics, times] = ["metrics", "times"].map((log) => openSync(join(path, `${log}.jsonl`), "w"));
  const step = 10_000;
  for (let from = 0; from < rows; from += step) {
    let [a, b] = ["", ""];
    for (let i = from + 1; i <= Math.min(rows, from + step); i++) {
      const [wave, noise] = [Math.sin(i / 5000), Math.sin(i * 12.9898) % 1];
      a += `{"step":${i},"policy/entropy":${(0.5 + 0.1 * wave).toFixed(6)},"policy/kl":${(0.01 + 0.005 * noise).toFixed(6)},"loss/value":${(5 + noise).toFixed(5)},"return/mean":${(200 * (i / rows) + 20 * wave + 10 * noise).toFixed(4)},"episodes":${Math.floor(i / 20)}}\n`;
      b += `{"step":${i},"at":${1.7e9 + i / 1000},"seconds":${i / 1000},"cpu":1,"memory":200000000}\n`;
    }
    writeSync(metrics, a);
    writeSync(times, b);
  }
  closeSync(metrics);
  closeSync(times);
}
