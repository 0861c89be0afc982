import type { EnvSpec, VectorEnv } from "@reins/core";
import { checkValue, choiceSizes, columns, labelFault, maskFault, maskSize } from "@reins/core/spaces";
import { leaves, type Tensor, type Tree } from "@reins/tensor";
import type { Findings } from "./finding.ts";
import { type Frame, isVector, type Subject } from "./subject.ts";
import type { Trace } from "./trace.ts";
import { showValue } from "./values.ts";

/** Invariants of each frame: observations inside the space, finite rewards, boolean flags. */
export function checkFrames(subject: Subject, { first, steps }: Trace, findings: Findings): void {
  const { spec } = subject;
  for (const observation of first) checkObservation(spec, observation, "reset()", findings);
  steps.forEach((frames, step) => {
    for (const frame of frames) {
      checkObservation(spec, frame.observation, `step ${step + 1}`, findings);
      if (frame.over) checkObservation(spec, frame.next, `reset() after step ${step + 1}`, findings);
      checkReward(spec, frame, findings);
      checkFlags(isVector(subject.env), frame, findings);
    }
  });
}

function checkObservation(spec: EnvSpec, observation: unknown, where: string, findings: Findings): void {
  const shape = checkValue(spec.observation, observation, "observation", { bounds: false });
  if (shape)
    return findings.add({
      rule: "observation-shape",
      severity: "error",
      expected: "observations inside spec.observation",
      got: `${where}: ${shape}`,
      advice: "Return what the space describes, or correct the space.",
    });
  const bounds = checkValue(spec.observation, observation, "observation");
  if (bounds)
    findings.add({
      rule: "observation-bounds",
      severity: "error",
      expected: "observations within the bounds of spec.observation",
      got: `${where}: ${bounds}`,
      advice: "Widen the bounds (box() has none by default), or clip the observation.",
    });
}

function checkReward(spec: EnvSpec, { reward }: Frame, findings: Findings): void {
  const numbers = spec.rewards ? (reward as number[]) : [reward];
  const count = spec.rewards?.length ?? 1;
  // Rewards are stored as f32, in which a finite JavaScript number may be infinite.
  const fine = (r: unknown) => typeof r === "number" && Number.isFinite(Math.fround(r));
  if (numbers?.length === count && numbers.every(fine)) return;
  findings.add({
    rule: "reward",
    severity: "error",
    expected: spec.rewards
      ? `${count} finite numbers: ${spec.rewards.join(", ")}`
      : "a finite number, up to 3.4e38",
    got: `a reward of ${showValue(reward)}`,
    advice: "Return one number, or name the components in spec.rewards.",
  });
}

function checkFlags(vector: boolean, { terminated, truncated }: Frame, findings: Findings): void {
  const fine = (flag: unknown) => (vector ? flag === 0 || flag === 1 : typeof flag === "boolean");
  for (const [name, flag] of [
    ["terminated", terminated],
    ["truncated", truncated],
  ] as const)
    if (!fine(flag))
      findings.add({
        rule: "flags",
        severity: "error",
        expected: vector ? `0 or 1 in ${name}` : `true or false as ${name}`,
        got: `${name} is ${showValue(flag)}`,
        advice:
          "`terminated` means that the problem ended, `truncated` that it was cut off; both are required.",
      });
}

/** A space has a label for each component, or none. */
export function checkLabels(spec: EnvSpec, findings: Findings): void {
  const unknown = Object.keys(spec.labels ?? {}).filter(
    (name) => name !== "observation" && name !== "action",
  );
  if (unknown.length > 0)
    findings.add({
      rule: "labels",
      severity: "error",
      expected: "labels for `observation` and `action`",
      got: `spec.labels has ${unknown.join(", ")}`,
      advice: "Name the parts as the spec does: { observation: […], action: […] }.",
    });
  for (const part of ["observation", "action"] as const) {
    const labels = spec.labels?.[part];
    const fault = labels && labelFault(spec[part], labels);
    if (fault !== undefined)
      findings.add({
        rule: "labels",
        severity: "error",
        expected: `a label for each component of spec.${part}`,
        got: `spec.labels.${part} ${fault}`,
        advice: "Label every number of the observation and every choice or number of the action, in order.",
      });
  }
}

/** A mask has an entry for each option, and each choice has an allowed one. */
export function checkMask(subject: Subject, findings: Findings): void {
  const sizes = choiceSizes(subject.spec.action);
  const size = maskSize(subject.spec.action);
  for (let row = 0; row < subject.rows; row++) {
    const mask = subject.mask(row);
    if (!mask || (mask.length === size && !maskFault(sizes, mask))) continue;
    findings.add({
      rule: "mask",
      severity: "error",
      expected: `a mask of ${size} entries, at least one of each choice 1`,
      got: showValue(Array.from(mask)),
      advice: "Return one entry for each choice of spec.action: 1 where it is allowed.",
    });
  }
}

/** The columns of a VectorEnv have the right types and shapes, and stay the same objects. */
export function checkColumns(env: VectorEnv, findings: Findings): void {
  const { spec, rows } = env;
  const wanted: [string, Tree, string[]][] = [
    ["observation", env.observation, shapes(columns(spec.observation, rows))],
    ["final", env.final, shapes(columns(spec.observation, rows))],
    ["reward", env.reward, [`f32 [${spec.rewards ? [rows, spec.rewards.length] : [rows]}]`]],
    ["terminated", env.terminated, [`bool [${rows}]`]],
    ["truncated", env.truncated, [`bool [${rows}]`]],
  ];
  const masks = [`bool [${[rows, maskSize(spec.action)]}]`];
  if (env.mask) wanted.push(["mask", env.mask, masks]);
  if (env.finalMask) wanted.push(["finalMask", env.finalMask, masks]);
  if (env.mask && !env.finalMask)
    findings.add({
      rule: "mask",
      severity: "warning",
      expected: "finalMask beside mask: the allowed actions in the last state of truncated episodes",
      got: "no finalMask, so all actions count as allowed there, and methods value forbidden ones",
      advice: "Allocate finalMask with the shape of mask. A BatchedEnv fills it in itself.",
    });
  for (const [name, tree, expected] of wanted) {
    const got = shapes(tree);
    if (got.join() === expected.join()) continue;
    findings.add({
      rule: "columns",
      severity: "error",
      expected: `${name} ${expected.join(", ")}`,
      got: `${name} ${got.join(", ")}`,
      advice: "Allocate it with columns(space, rows), or correct the space.",
    });
  }
}

/** Records the columns; the returned function tells whether they were replaced. */
export function watchColumns(env: VectorEnv): (findings: Findings) => void {
  const { observation, final, reward, terminated, truncated, mask, finalMask, alive } = env;
  const columns = { observation, final, reward, terminated, truncated, mask, finalMask, alive };
  const names = Object.keys(columns) as (keyof typeof columns)[];
  const all = () => names.flatMap((name) => leaves(env[name]));
  const before = all();
  return (findings) => {
    if (all().every((tensor: Tensor, i) => tensor === before[i])) return;
    findings.add({
      rule: "columns",
      severity: "error",
      expected: "the same tensors in every step, overwritten in place",
      got: "step() replaced them with new tensors",
      advice: "Write to tensor.data: compiled code is bound to the first tensors.",
    });
  };
}

function shapes(tree: Tree): string[] {
  return leaves(tree).map((t) => `${t.dtype} [${t.shape}]`);
}
