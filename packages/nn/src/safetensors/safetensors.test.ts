import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { full, random, type Tensor, tensor } from "@reins/tensor";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type DeferredTensor,
  fillTree,
  flattenNames,
  loadSafetensors,
  loadSharded,
  mlp,
  parseIndex,
  readSafetensors,
  saveSafetensors,
  unflattenNames,
  writeSafetensors,
} from "../index.ts";
import { halfToNumber } from "./convert.ts";

/** A file from a header and data, for malformed cases. */
function file(header: unknown, data: Uint8Array | number = 0, length?: bigint): Uint8Array {
  const text = new TextEncoder().encode(typeof header === "string" ? header : JSON.stringify(header));
  const body = typeof data === "number" ? new Uint8Array(data) : data;
  const out = new Uint8Array(8 + text.length + body.length);
  new DataView(out.buffer).setBigUint64(0, length ?? BigInt(text.length), true);
  out.set(text, 8);
  out.set(body, 8 + text.length);
  return out;
}
const bytesOf = (a: ArrayBufferView) => new Uint8Array(a.buffer, a.byteOffset, a.byteLength);
const single = (dtype: string, shape: number[], data: ArrayBufferView) =>
  file({ x: { dtype, shape, data_offsets: [0, data.byteLength] } }, bytesOf(data));
const read = (bytes: Uint8Array) => readSafetensors(bytes).tensors.get("x")!;

describe("round trips", () => {
  const tensors: Record<string, Tensor> = {
    f: tensor([
      [1.5, -2],
      [Infinity, 1e-40],
    ]),
    i: tensor([-5, 2 ** 31 - 1], { dtype: "i32" }),
    u: tensor([2 ** 32 - 1], { dtype: "u32" }),
    b: tensor(new Uint8Array([0, 255, 3]), { shape: [3, 1] }),
    t: tensor([true, false]),
    s: tensor(3),
    e: tensor(new Float32Array(0), { shape: [0, 4] }),
    "ünï.cøde": tensor([1]),
  };
  it("keep values, shapes, types and metadata", () => {
    const bytes = writeSafetensors(Object.entries(tensors), { format: "reins", note: "ä" });
    const { tensors: back, metadata } = readSafetensors(bytes);
    expect(metadata).toEqual({ format: "reins", note: "ä" });
    expect([...back.keys()].sort()).toEqual(Object.keys(tensors).sort());
    for (const [name, t] of Object.entries(tensors)) {
      expect([back.get(name)!.dtype, back.get(name)!.shape, Array.from(back.get(name)!.data)]).toEqual([
        t.dtype,
        t.shape,
        Array.from(t.data),
      ]);
    }
    expect(writeSafetensors(Object.entries(tensors), { format: "reins", note: "ä" })).toEqual(bytes);
    expect(new DataView(bytes.buffer).getBigUint64(0, true) % 8n).toBe(0n);
  });
  it("work on a view that is not aligned, and on a Node Buffer", () => {
    const bytes = writeSafetensors(Object.entries(tensors));
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    expect(readSafetensors(shifted.subarray(3)).tensors.get("i")!.toArray()).toEqual([-5, 2 ** 31 - 1]);
    expect(readSafetensors(Buffer.from(bytes)).tensors.get("f")!.data[0]).toBe(1.5);
  });
  it("read a choice of names", () => {
    const bytes = writeSafetensors(Object.entries(tensors));
    expect([...readSafetensors(bytes, { names: ["u"] }).tensors.keys()]).toEqual(["u"]);
    expect(() => readSafetensors(bytes, { names: ["nope"] })).toThrow('unknown tensor "nope"');
  });
});

describe("other types", () => {
  it("BF16 and F16 become f32", () => {
    expect(read(single("BF16", [3], new Uint16Array([0x3f80, 0xc000, 0x7f80]))).toArray()).toEqual([
      1,
      -2,
      Infinity,
    ]);
    expect(read(single("F16", [2, 2], new Uint16Array([0x3c00, 0xc000, 0x0001, 0x7bff]))).toArray()).toEqual([
      [1, -2],
      [2 ** -24, 65504],
    ]);
    expect([0xfc00, 0x8000, 0x3555].map(halfToNumber)).toEqual([-Infinity, -0, 0.333251953125]);
    expect(halfToNumber(0x7e00)).toBeNaN();
  });
  it("I64 becomes i32 where it fits", () => {
    expect(read(single("I64", [2], new BigInt64Array([-3n, 2147483647n]))).toArray()).toEqual([
      -3, 2147483647,
    ]);
    expect(() => read(single("I64", [1], new BigInt64Array([2147483648n])))).toThrow(
      '"x" has the 64-bit number 2147483648 at index 0, which is outside the range of i32',
    );
  });
});

describe("malformed files", () => {
  const entry = (dtype: unknown, shape: unknown, offsets: unknown) => ({
    x: { dtype, shape, data_offsets: offsets },
  });
  const broken: [string, Uint8Array, string][] = [
    ["too short", new Uint8Array(5), "5 bytes are not a safetensors file"],
    ["a header beyond the file", file("{}", 0, 100n), "but the file has only 10 in all. It is truncated"],
    ["an absurd header length", file("{}", 0, 2n ** 60n), "above the limit"],
    ["no JSON", file("{oops"), "not JSON"],
    ["no object", file("[1]"), "not a JSON object"],
    ["bad text", file({ __metadata__: { a: 1 } }), "must map names to strings"],
    [
      "an unknown type",
      file(entry("F8_E4M3", [1], [0, 1]), 1),
      'the type "F8_E4M3", which cannot be read. Supported types are F32',
    ],
    ["a bad shape", file(entry("F32", [-1], [0, 4]), 4), "a list of non-negative integers"],
    ["a broken shape", file(entry("F32", [1.5], [0, 6]), 6), "a list of non-negative integers"],
    ["no offsets", file(entry("F32", [1], undefined), 4), "two ascending integers"],
    ["falling offsets", file(entry("F32", [1], [4, 0]), 4), "two ascending integers"],
    ["data beyond the end", file(entry("F32", [2], [0, 8]), 4), "It is truncated"],
    [
      "a span that does not match the shape",
      file(entry("F32", [2], [0, 4]), 4),
      "needs 8 bytes, but its offsets span 4",
    ],
    ["an entry that is null", file({ x: null }), "cannot be read"],
    [
      "overlapping tensors",
      file(
        {
          a: { dtype: "U8", shape: [4], data_offsets: [0, 4] },
          b: { dtype: "U8", shape: [4], data_offsets: [2, 6] },
        },
        6,
      ),
      'tensors "a" and "b" overlap',
    ],
    ["a gap", file(entry("U8", [2], [2, 4]), 4), '2 bytes before tensor "x" do not belong to a tensor'],
    ["bytes left over", file(entry("U8", [2], [0, 2]), 4), "2 bytes at the end do not belong to a tensor"],
  ];
  it.each(broken)("%s", (_, bytes, message) => expect(() => readSafetensors(bytes)).toThrow(message));
  it("every truncation of a valid file is refused", () => {
    const good = writeSafetensors([
      ["a", tensor([1, 2, 3])],
      ["b", tensor([4])],
    ]);
    for (let n = 0; n < good.length; n++) expect(() => readSafetensors(good.subarray(0, n))).toThrow();
  });
  it("names are used once", () => {
    expect(() =>
      writeSafetensors([
        ["a", tensor(1)],
        ["a", tensor(2)],
      ]),
    ).toThrow("used twice");
    expect(() => writeSafetensors([["__metadata__", tensor(1)]])).toThrow("reserved");
  });
});

describe("names", () => {
  const params = mlp({ inputs: 2, hidden: [3], outputs: 1 }).init(random.key(1));
  it("flatten and unflatten a tree", () => {
    const named = flattenNames(params);
    expect([...named.keys()]).toEqual([
      "layers.0.weight",
      "layers.0.bias",
      "layers.1.weight",
      "layers.1.bias",
    ]);
    const back = unflattenNames(named) as typeof params;
    expect(Array.isArray(back.layers)).toBe(true);
    expect(back.layers[1].weight).toBe(params.layers[1].weight);
    const one = tensor(1);
    expect(unflattenNames(flattenNames(one))).toBe(one);
    expect(
      unflattenNames([
        ["a.1", one],
        ["a.2", one],
      ]),
    ).toEqual({ a: { 1: one, 2: one } });
    expect(unflattenNames([["__proto__.x", one]])).not.toHaveProperty("x");
  });
  it("name collisions", () => {
    expect(() => flattenNames({ "a.b": tensor(1), a: { b: tensor(2) } })).toThrow(
      'two tensors have the name "a.b"',
    );
    expect(() =>
      unflattenNames([
        ["a", tensor(1)],
        ["a.b", tensor(2)],
      ]),
    ).toThrow("is nested in a tensor");
    expect(() =>
      unflattenNames([
        ["a.b", tensor(1)],
        ["a", tensor(2)],
      ]),
    ).toThrow("both a tensor and a group");
  });
  it("fill a tree, or name the mismatch", () => {
    const named = flattenNames(params);
    expect(fillTree(params, named).layers[0].bias).toBe(params.layers[0].bias);
    expect(() => fillTree(params, new Map([...named].slice(1)), "a.safetensors")).toThrow(
      'a.safetensors has no tensor "layers.0.weight"',
    );
    expect(() => fillTree(params, new Map([...named, ["layers.0.bias", tensor([1])]]))).toThrow(
      '"layers.0.bias" as f32[1]; expected f32[3]',
    );
    expect(() => fillTree(params, new Map([...named, ["more", tensor([1])]]))).toThrow(
      "unexpected tensors: more",
    );
  });
});

describe("files", () => {
  let folder = "";
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "reins-nn-"))));
  afterAll(() => rmSync(folder, { recursive: true }));
  it("are written atomically and read back", async () => {
    const path = join(folder, "a.safetensors");
    await saveSafetensors(
      path,
      [
        ["x", tensor([1, 2])],
        ["y", tensor([true])],
      ],
      { step: "7" },
    );
    expect(readdirSync(folder)).toEqual(["a.safetensors"]);
    const { tensors, metadata } = await loadSafetensors(path);
    expect(metadata.step).toBe("7");
    expect(tensors.get("x")!.toArray()).toEqual([1, 2]);
    expect([...(await loadSafetensors(path, { names: ["y"] })).tensors.keys()]).toEqual(["y"]);
    await expect(loadSafetensors(path, { names: ["z"] })).rejects.toThrow('unknown tensor "z"');
  });
  it("accept deferred tensors, each created after the previous ones are written", async () => {
    const path = join(folder, "later.safetensors");
    const written: number[] = [];
    const later = (value: number): DeferredTensor => ({
      shape: [1000],
      dtype: "f32",
      make() {
        const draft = readdirSync(folder).find((name) => name.endsWith(".part"));
        written.push(draft === undefined ? -1 : Math.floor(statSync(join(folder, draft)).size / 4000));
        return full([1000], value);
      },
    });
    const own = tensor([5, 6]);
    await saveSafetensors(path, [
      ["a", later(1)],
      ["own", own],
      ["b", later(2)],
      ["c", later(3)],
    ]);
    expect(written).toEqual([0, 1, 2]);
    const { tensors } = await loadSafetensors(path);
    expect([...tensors].map(([name, t]) => [name, t.shape[0], t.data[0]])).toEqual([
      ["a", 1000, 1],
      ["own", 2, 5],
      ["b", 1000, 2],
      ["c", 1000, 3],
    ]);
  });
  it("that are truncated are refused with their name", async () => {
    const path = join(folder, "cut.safetensors");
    writeFileSync(path, writeSafetensors([["x", tensor([1, 2])]]).subarray(0, -1));
    await expect(loadSafetensors(path)).rejects.toThrow(`${path}: tensor "x" ends at byte`);
    writeFileSync(path, new Uint8Array(3));
    await expect(loadSafetensors(path)).rejects.toThrow("3 bytes are not a safetensors file");
  });
  it("in shards are combined by their index", async () => {
    await saveSafetensors(join(folder, "m-1.safetensors"), [["a", tensor([1])]], { format: "pt" });
    await saveSafetensors(join(folder, "m-2.safetensors"), [
      ["b", tensor([2])],
      ["c", tensor([3])],
    ]);
    const index = join(folder, "model.safetensors.index.json");
    writeFileSync(
      index,
      JSON.stringify({ weight_map: { a: "m-1.safetensors", b: "m-2.safetensors", c: "m-2.safetensors" } }),
    );
    const { tensors, metadata } = await loadSharded(index);
    expect([...tensors].map(([n, t]) => [n, t.data[0]])).toEqual([
      ["a", 1],
      ["b", 2],
      ["c", 3],
    ]);
    expect(metadata).toEqual({ format: "pt" });
  });
  it("outside of the folder are never read", () => {
    expect(() => parseIndex(JSON.stringify({ weight_map: { a: "../secret.safetensors" } }))).toThrow(
      "not the name of a file in the same folder",
    );
    expect(() => parseIndex("{}")).toThrow("weight_map");
    expect(() => parseIndex("oops", "i.json")).toThrow("i.json: is not JSON");
  });
});
