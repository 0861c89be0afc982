import { expect, it } from "vitest";
import { generate } from "./generate.ts";
import {
  compile,
  deserialiseFunction,
  type FunctionData,
  serialiseFunction,
  type Tensor,
} from "./internals.ts";
import { inputTensors, type Program, runProgram } from "./program.ts";

/** A program as a function of all its inputs. */
const asFunction = (p: Program) => (given: Tensor[]) =>
  runProgram(p, new Map(p.inputs.map(({ id }, i) => [id, given[i]])));

const bits = ({ data }: Tensor) => [...new Uint8Array(data.buffer, data.byteOffset, data.byteLength)];

it("200 random programs give the same results after serialisation, on the reference back end and on WebAssembly", () => {
  for (let index = 0; index < 200; index++) {
    const { program } = generate(20261116, index);
    const given = [...inputTensors(program, 0).values()];
    const plain = asFunction(program);
    const { data, constants } = serialiseFunction(plain, given);
    const read = deserialiseFunction(JSON.parse(JSON.stringify(data)) as FunctionData, constants);
    for (const backend of index % 5 ? (["reference"] as const) : (["reference", "wasm"] as const)) {
      const [a, b] = [plain, (list: Tensor[]) => read(list) as ReturnType<typeof plain>].map((f) => {
        const { state, others } = compile(f, { backend })(given);
        return [...state, ...others].map((t) => [t.dtype, t.shape, bits(t)]);
      });
      expect(b, `program ${index} on ${backend}`).toEqual(a);
    }
  }
});
