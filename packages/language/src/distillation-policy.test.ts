import {
  compile,
  leaves,
  random,
  sum,
  type Tensor,
  type Tree,
  tensor,
  transpose,
  treeMap,
  valueAndGradient,
} from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { teacherDivergence } from "./distillation.ts";
import { distillationPolicy } from "./distillation-policy.ts";
import { newModel } from "./models/language-model.ts";

const context = 8;
const make = (seed: number, width: number, vocabulary: number) =>
  newModel(
    { layers: 1, width, heads: 2, context, vocabulary, style: "llama", deviation: 0.5 },
    random.key(seed),
  );
const student = make(1, 8, 11);
const teacher = make(2, 16, 11);
const distillation = { divergence: "js", mixture: 0.4, temperature: 1.5 } as const;
const [time, rows] = [context, 3];
const draw = (salt: number) =>
  tensor(
    Int32Array.from({ length: time * rows }, (_, i) => (i * 7 + salt * i * i) % 11),
    { shape: [time, rows] },
  );
const moment = (alive?: Tensor) => ({
  view: { observation: draw(1) },
  action: draw(3),
  state: {},
  ...(alive ? { alive } : {}),
});

type Weights = typeof student.params;

/** The divergence at each step, and the gradient of its sum. */
function measured(options: Partial<Parameters<typeof distillationPolicy>[0]> = {}, alive?: Tensor) {
  const policy = distillationPolicy({ ...student, teacher, distillation, ...options });
  return compile((weights: Weights) =>
    valueAndGradient((w: Weights) => {
      const each = policy.score(w, moment(alive)).extra!.teacher;
      return [sum(each), each] as const;
    })(weights),
  )(student.params);
}

const numbers = (tree: Tree) => leaves(tree).flatMap((t) => Array.from(t.data as Float32Array));
const near = (found: readonly number[], wanted: readonly number[], digits = 5) => {
  expect(found.length).toBe(wanted.length);
  wanted.forEach((x, i) => expect(found[i], `number ${i}`).toBeCloseTo(x, digits));
};

describe("a policy with a teacher", () => {
  it("has the divergence of both models' next-token distributions at each step", () => {
    const tokens = transpose(draw(1));
    const logits = ({ model, params }: typeof student) => model.logits(params, model.hidden(params, tokens));
    const wanted = transpose(teacherDivergence(logits(teacher), logits(student), distillation));
    near(numbers(measured().aux), numbers(wanted));
  });

  it("does not depend on the size of its blocks, and leaves out steps that do not enter the loss", () => {
    const whole = measured();
    const blocks = measured({ logits: 64 });
    near(numbers(blocks.aux), numbers(whole.aux));
    near(numbers(blocks.gradient), numbers(whole.gradient), 4);
    const alive = tensor(
      Uint8Array.from({ length: time * rows }, (_, i) => (i % 3 === 0 ? 0 : 1)),
      { shape: [time, rows], dtype: "bool" },
    );
    const some = numbers(measured({ logits: 64 }, alive).aux);
    near(
      some,
      numbers(whole.aux).map((x, i) => (i % 3 === 0 ? 0 : x)),
    );
  });

  it("has the gradient of finite differences", () => {
    const { gradient } = measured();
    const [path, table] = ["tokens", student.params.tokens!.table];
    const at = (i: number, by: number) => {
      const moved = treeMap((t) => t, student.params) as Weights;
      const data = Float32Array.from(table.data as Float32Array);
      data[i] += by;
      const policy = distillationPolicy({ ...student, teacher, distillation });
      const weights = { ...moved, [path]: { table: tensor(data, { shape: table.shape }) } };
      return sum(policy.score(weights, moment()).extra!.teacher).data[0];
    };
    const h = 1e-2;
    for (const i of [3, 20, 41]) {
      const slope = (at(i, h) - at(i, -h)) / (2 * h);
      expect(gradient.tokens!.table.data[i], `number ${i}`).toBeCloseTo(slope, 2);
    }
  });

  it("compares the tokens that both vocabularies have", () => {
    const padded = make(2, 16, 13);
    const found = measured({ teacher: padded }).aux;
    const tokens = transpose(draw(1));
    const theirs = padded.model.logits(padded.params, padded.model.hidden(padded.params, tokens));
    const own = student.model.logits(student.params, student.model.hidden(student.params, tokens));
    const shared = tensor(
      Float32Array.from(
        { length: rows * time * 11 },
        (_, i) => theirs.data[Math.floor(i / 11) * 13 + (i % 11)],
      ),
      { shape: [rows, time, 11] },
    );
    near(numbers(found), numbers(transpose(teacherDivergence(shared, own, distillation))));
  });

  it("refuses texts that are longer than the teacher's positions", () => {
    const short = newModel(
      { layers: 1, width: 8, heads: 2, context: 4, vocabulary: 11, style: "gpt2" },
      random.key(3),
    );
    expect(() => measured({ teacher: short })).toThrow(
      "texts have up to 8 tokens, and the teacher has positions for 4",
    );
  });
});
