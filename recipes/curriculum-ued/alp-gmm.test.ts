import { defaultRng } from "@reins/core/random";
import { describe, expect, it } from "vitest";
import { alpGmm, covarGmm, type Teacher } from "./alp-gmm.parts.ts";

/** Rewards rise with time in one corner and are 0 elsewhere: the share of late exercises in that corner. */
function late(teacher: Teacher): number {
  let inside = 0;
  for (let t = 0; t < 1500; t++) {
    const point = teacher.next();
    const here = point[0] < 0.2 && point[1] < 0.2;
    teacher.told(point, here ? t / 1500 : 0);
    if (t >= 1000 && here) inside++;
  }
  return inside / 500;
}

describe.each([
  ["alpGmm", alpGmm],
  ["covarGmm", covarGmm],
] as const)("%s", (_, make) => {
  it("samples where there is learning progress", () => {
    expect(late(make({ dimensions: 2, random: defaultRng(1) }))).toBeGreaterThan(0.2);
  });
});

it("Covar-GMM leaves places where rewards fall", () => {
  const teacher = covarGmm({ dimensions: 1, random: defaultRng(2), anywhere: 0 });
  let low = 0;
  // Rewards rise in the lower half and fall in the upper one, equally fast.
  for (let t = 0; t < 1000; t++) {
    const [x] = teacher.next();
    if (t >= 250 && x < 0.5) low++;
    teacher.told([x], x < 0.5 ? t / 1000 : 1 - t / 1000);
  }
  expect(low / 750).toBeGreaterThan(0.8);
});
