import { appendFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crc32c, maskedCrc } from "./crc.ts";
import { EventWriter } from "./events.ts";
import { disk } from "./files.ts";
import { cutEvents, eventFiles, readEvents } from "./read-events.ts";
import { scratch } from "./testing.ts";

let folder: ReturnType<typeof scratch>;
let count = 0;
beforeAll(() => void (folder = scratch()));
afterAll(() => folder.done());
const fresh = () => {
  const path = join(folder.path, `${count++}`);
  disk.mkdirSync(path);
  return path;
};

describe("checksums", () => {
  it("are Castagnoli's (RFC 3720, appendix B.4)", () => {
    expect(crc32c(Buffer.from("123456789"))).toBe(0xe3069283);
    expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
    expect(crc32c(new Uint8Array(32).fill(255))).toBe(0x62a8ab43);
    expect(crc32c(Uint8Array.from({ length: 32 }, (_, i) => i))).toBe(0x46dd794e);
  });
  it("are masked as in TFRecord", () => {
    const plain = crc32c(Buffer.from("abc"));
    const turned = ((plain >>> 15) | (plain << 17)) >>> 0;
    expect(maskedCrc(Buffer.from("abc"))).toBe((turned + 0xa282ead8) % 2 ** 32);
  });
});

describe("events", () => {
  it("equal the bytes of TensorFlow's writer", () => {
    const path = fresh();
    const writer = new EventWriter(path, disk);
    writer.scalars(3, { loss: 0.5 }, 1000);
    writer.close();
    const bytes = readFileSync(writer.path);
    // Event { wall_time, file_version: "brain.Event:2" }: 9 + 2 + 13 bytes, framed by length, checksum and checksum.
    expect(bytes.readBigUInt64LE()).toBe(24n);
    expect(bytes.toString("latin1", 21, 36)).toBe("\x1a\x0dbrain.Event:2");
    // Event { wall_time: 1, step: 3, summary { value { tag: "loss" simple_value: 0.5 } } }
    const second = bytes.subarray(40 + 12, bytes.length - 4);
    expect(second.toString("hex")).toBe(
      "09000000000000f03f" +
        "1003" +
        "2a0d" +
        "0a0b" +
        "0a04" +
        Buffer.from("loss").toString("hex") +
        "150000003f",
    );
  });
  it("are restored, however long and many", () => {
    const path = fresh();
    const writer = new EventWriter(path, disk);
    const long = "x".repeat(300);
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`metric/${i}`, i]));
    for (let step = 0; step < 2000; step++) writer.scalars(step, { "return/mean": step / 2, [long]: -step });
    writer.scalars(2 ** 40 + 1, { nan: Number.NaN, up: Number.POSITIVE_INFINITY, zero: -0 });
    writer.scalars(2 ** 50, many);
    writer.close();
    const [first, ...rest] = readEvents(writer.path);
    expect(first.version).toBe("brain.Event:2");
    expect(rest).toHaveLength(2002);
    expect(rest[1999]).toMatchObject({ step: 1999, scalars: { "return/mean": 999.5, [long]: -1999 } });
    expect(rest[2000].step).toBe(2 ** 40 + 1);
    expect(rest[2000].scalars).toEqual({ nan: Number.NaN, up: Number.POSITIVE_INFINITY, zero: -0 });
    expect(rest[2001]).toMatchObject({ step: 2 ** 50, scalars: many });
    expect(Math.abs(rest[0].time - Date.now() / 1000)).toBeLessThan(60);
  });
  it("end at a torn or damaged record", () => {
    const path = fresh();
    const writer = new EventWriter(path, disk);
    writer.scalars(1, { a: 1 });
    writer.scalars(2, { a: 2 });
    writer.close();
    const good = readFileSync(writer.path);
    const steps = () => readEvents(writer.path).map((e) => e.step);
    for (let n = good.length - 1; n > good.length - 30; n--) {
      truncateSync(writer.path, n);
      expect(steps()).toEqual([0, 1]);
    }
    const bad = Buffer.from(good);
    bad[good.length - 6] ^= 1;
    writeFileSync(writer.path, bad);
    expect(steps()).toEqual([0, 1]);
  });
  it("are truncated to a step, and a new file tells TensorBoard", () => {
    const path = fresh();
    const first = new EventWriter(path, disk);
    for (const step of [1, 2, 3, 4]) first.scalars(step, { a: step });
    first.close();
    appendFileSync(first.path, "torn");
    cutEvents(disk, path, 2);
    expect(readEvents(first.path).map((e) => e.step)).toEqual([0, 1, 2]);
    const second = new EventWriter(path, disk, 2);
    second.scalars(3, { a: 33 });
    second.close();
    // Also within one second of each other.
    expect(eventFiles(path)).toEqual([first.path, second.path]);
    expect(readEvents(second.path).map((e) => [e.step, e.restart])).toEqual([
      [0, false],
      [3, true],
      [3, false],
    ]);
  });
});
