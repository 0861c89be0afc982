import { ppo } from "@reins/algorithms";
import { make } from "@reins/envs";
import { leaves, random } from "@reins/tensor";
import { expect, it } from "vitest";
import { expectResumes, runOf } from "./testing-resumes.ts";

it("federated averaging of two learners: they share weights, not steps", async () => {
  const run = await expectResumes(() =>
    runOf((context) => {
      const spec = make("CartPole-v1", { rows: 1 }).spec;
      const members = random.splitKey(context.key, 2).map((key, i) =>
        ppo({ envs: 2, steps: 32, hidden: [16] }).start({
          ...context,
          key,
          seed: 100 * i,
          spec,
          env: (rows) => make("CartPole-v1", { rows }),
        }),
      );
      const weights = members.map((m) => leaves(m.acting?.weights));
      const average = () =>
        weights[0].forEach((t, k) => {
          const all = weights.map((w) => w[k].data);
          for (let i = 0; i < t.size; i++) {
            const mean = all.reduce((sum, w) => sum + w[i], 0) / all.length;
            for (const w of all) w[i] = mean;
          }
        });
      return {
        get steps() {
          return members.reduce((n, m) => n + m.steps, 0);
        },
        step() {
          for (const m of members) m.step();
          average();
          const [a, b] = weights.map((w) => w.flatMap((t) => Array.from(t.data)));
          return { "weights/apart": Math.max(...a.map((x, i) => Math.abs(x - b[i]))), numbers: a.length };
        },
        parts: { members: members.map((m) => m.parts) },
        acting: members[0].acting,
      };
    }),
  );
  expect(run.metrics.numbers).toBeGreaterThan(0);
  expect(run.metrics["weights/apart"]).toBe(0);
  expect(run.steps).toBe(2 * 256);
});
