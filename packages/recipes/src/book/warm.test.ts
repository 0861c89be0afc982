import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { keep } from "./warm.ts";

const folder = mkdtempSync(join(tmpdir(), "reins-warm-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("warm starts", () => {
  it("are made once for all runs, and again for other inputs", async () => {
    let made = 0;
    const start = (inputs: unknown) => ({
      name: "numbers",
      module: import.meta.url,
      inputs,
      async make() {
        made++;
        await new Promise((done) => setTimeout(done, 50));
        return new TextEncoder().encode(JSON.stringify(inputs));
      },
      read: (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes)) as unknown,
    });
    const cache = join(folder, "warm");
    const value = async (s: ReturnType<typeof start>) => (await keep(s, cache)).value;
    const both = await Promise.all([value(start([1])), value(start([1]))]);
    expect(both).toEqual([[1], [1]]);
    expect(made).toBe(1);
    expect(await value(start([2]))).toEqual([2]);
    expect(made).toBe(2);
  });

  it("are made again when damaged, and removed when unused for months", async () => {
    const cache = join(folder, "damaged");
    const start = (inputs: unknown) => ({
      name: "numbers",
      module: import.meta.url,
      inputs,
      make: () => new TextEncoder().encode(`${inputs}`),
      read: (bytes: Uint8Array) => new TextDecoder().decode(bytes),
    });
    expect((await keep(start(1), cache)).value).toBe("1");
    const [name] = readdirSync(cache);
    const path = join(cache, name);
    const whole = readFileSync(path);
    for (const damaged of [
      whole.map((b, i) => (i === whole.length - 1 ? b ^ 3 : b)),
      whole.subarray(0, 20),
    ]) {
      writeFileSync(path, damaged);
      expect((await keep(start(1), cache)).value).toBe("1");
    }
    utimesSync(path, 0, 0);
    expect((await keep(start(2), cache)).value).toBe("2");
    expect(readdirSync(cache)).not.toContain(name);
  });
});
