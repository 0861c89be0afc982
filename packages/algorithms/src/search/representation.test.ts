import { defaultRng } from "@reins/core/random";
import { make } from "@reins/envs";
import { setBackend } from "@reins/tensor";
import { expect, it } from "vitest";
import { ars, randomSearch } from "../ars.ts";
import { expectExactResume } from "../testing-on-policy.ts";
import { policyRepresentation } from "./representation.ts";

setBackend("wasm");

const start = (size: number) => new Float64Array(size);
const fixed = (value: number) => ({ value });
const small = { latent: 4, hidden: 16, candidates: 64, memory: 128, batch: 32 };

it("points towards higher returns", () => {
  const guide = policyRepresentation({ ...small, candidates: 1024, updates: 64, boldness: 0 })(
    3,
    defaultRng(1),
  );
  const random = defaultRng(2);
  const policies = Array.from({ length: 100 }, () => Float64Array.from({ length: 3 }, () => random.normal()));
  const earned = Float64Array.from(policies, ([a, b]) => 2 * a - b);
  for (let i = 0; i < 5; i++) guide.told(policies, earned);
  const [a, b, c] = guide.direction(start(3), 0.3);
  expect(a).toBeGreaterThan(1);
  expect(b).toBeLessThan(-0.4);
  expect(Math.abs(c)).toBeLessThan(0.4);
});

it("samples values where nothing is known: searches move before any reward", () => {
  const o = { learningRate: fixed(0.1), sigma: fixed(0.5), elite: fixed(1), population: 8 };
  const moved = (guided: boolean) => {
    const guide = guided ? { guide: policyRepresentation({ ...small, share: 0.2 }) } : {};
    const search = randomSearch(start(3), { ...o, ...guide }, defaultRng(3));
    const members = Array.from({ length: 8 }, () => start(3));
    search.ask(members);
    search.tell(new Float64Array(8));
    return search.centre.some((x) => x !== 0);
  };
  expect(moved(true)).toBe(true);
  expect(moved(false)).toBe(false);
});

it("resumes exactly", () => {
  const cartPole = { spec: make("CartPole-v1").spec, make: (rows: number) => make("CartPole-v1", { rows }) };
  const guided = () => ars({ population: 8, guide: policyRepresentation(small) });
  expectExactResume(guided, cartPole, 20_000);
});

it("needs an even number of candidates", () => {
  expect(() => policyRepresentation({ candidates: 7 })).toThrow(/an even number/);
});
