import { expectTypeOf, it } from "vitest";
import { type Compiled, compile, mul, scalar, sum, type Tensor, tensor, vmap } from "../index.ts";

// These tests are checked by the TypeScript compiler: a wrong type does not build.

interface Params {
  readonly weight: Tensor;
  readonly layers: readonly { readonly bias: Tensor }[];
}

it("arguments and results are those of the function", () => {
  const double = compile((x: Tensor) => ({ twice: mul(x, 2), parts: [x, x] as const }));
  expectTypeOf(double).toEqualTypeOf<
    Compiled<[x: Tensor], { twice: Tensor; parts: readonly [Tensor, Tensor] }>
  >();
  expectTypeOf(double(tensor([1])).twice).toEqualTypeOf<Tensor>();
  expectTypeOf(double.bind(tensor([1])).result.parts).toEqualTypeOf<readonly [Tensor, Tensor]>();
  expectTypeOf(double.explain(tensor([1]))).toBeString();
  const never = () => {
    // @ts-expect-error a result has no other parts
    double(scalar(1)).thrice;
    // @ts-expect-error an argument is missing
    double();
    // @ts-expect-error there is only one argument
    double(scalar(1), scalar(2));
    // @ts-expect-error a string is not a tensor
    double("1");
    // @ts-expect-error bind takes the same arguments
    double.bind({ x: scalar(1) });
  };
  expectTypeOf(never).toBeFunction();
});

it("numbers are accepted for tensors, at any depth", () => {
  const f = compile((p: Params, rate: Tensor) => mul(mul(p.weight, rate), sum(p.layers[0].bias)));
  const never = () => {
    f({ weight: 1, layers: [{ bias: 2 }] }, 0.1);
    f({ weight: scalar(1), layers: [{ bias: 2 }] }, true);
    // @ts-expect-error a part is missing
    f({ weight: 1 }, 0.1);
    // @ts-expect-error a part has another form
    f({ weight: 1, layers: [{ bias: "2" }] }, 0.1);
  };
  expectTypeOf(never).toBeFunction();
});

it("results must consist of tensors", () => {
  const never = () => {
    // @ts-expect-error a string is not a tensor
    compile((x: Tensor) => ({ x, name: "x" }));
    // @ts-expect-error unknown option
    compile((x: Tensor) => x, { donated: [0] });
    // @ts-expect-error unknown back end
    compile((x: Tensor) => x, { backend: "gpu" });
  };
  expectTypeOf(never).toBeFunction();
});

it("vmap keeps the function's types", () => {
  const norms = vmap((x: Tensor, p: Params) => mul(x, p.weight));
  expectTypeOf(norms).parameters.toEqualTypeOf<[x: Tensor, p: Params]>();
  expectTypeOf(norms).returns.toEqualTypeOf<Tensor>();
});
