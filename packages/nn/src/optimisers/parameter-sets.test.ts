import { compile, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { adam } from "./adam.ts";
import { skipZeroGradients } from "./parameter-sets.ts";

const sets = () => ({ one: { w: tensor([1, 2]) }, other: { w: tensor([3, 4]) } });
const gradient = (one: number, other: number) => ({
  one: { w: tensor([one, 0]) },
  other: { w: tensor([other, 0]) },
});

it("sets updated in turns match separate optimisers, and do not change in between", () => {
  const optimiser = skipZeroGradients(adam({ learningRate: 0.1 }));
  const step = compile((g: ReturnType<typeof gradient>, p: ReturnType<typeof sets>, s: object) =>
    optimiser.update(g, s as ReturnType<typeof optimiser.init<typeof p>>, p),
  );
  const alone = adam({ learningRate: 0.1 });
  let own = { params: sets().one, state: alone.init(sets().one) };
  let both = { params: sets(), state: optimiser.init(sets()) };
  for (const [a, b] of [
    [1, 0],
    [0, 2],
    [0, -1],
    [3, 0],
    [0.5, 0],
  ]) {
    const before = both.params;
    both = step(gradient(a, b), both.params, both.state);
    if (a) own = alone.update(gradient(a, b).one, own.state, own.params);
    const still = a ? "other" : "one";
    expect([...both.params[still].w.data]).toEqual([...before[still].w.data]);
    expect([...both.params[a ? "one" : "other"].w.data]).not.toEqual([...before[a ? "one" : "other"].w.data]);
    expect([...both.params.one.w.data]).toEqual([...own.params.w.data]);
  }
});
