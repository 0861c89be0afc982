import { fail } from "@reins/core";
import { type Bytes, joined, leb, longer, Reader, sectionsOf } from "./binary.ts";

/**
 * Instruments a WebAssembly module with fuel: a counter, exported as `fuel`, that each call and each loop iteration
 * decrements, plus one for each 64 bytes copied or filled. Below zero the module traps. So every program ends, and
 * after the same work on every machine.
 *
 * A trap does not unwind the stack. The first global, the stack pointer in Emscripten's output, is exported as
 * `stack`: restoring it and the memory restores the instance.
 */
export function withFuel(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const sections = sectionsOf(bytes);
  const body = (id: number): Uint8Array =>
    sections.find((s) => s.id === id)?.body ??
    fail("fuel", `the module has no section ${id}. Modules from Emscripten have globals, exports and code.`);
  const imported = sections.some((s) => s.id === section.imports)
    ? importedGlobals(body(section.imports))
    : 0;
  const fuel = imported + new Reader(body(section.globals)).number();
  // Starting consumes fuel too, so the counter starts at its maximum. A second global holds the length of the next
  // copy: functions have no spare local for it.
  const most = [0xff, 0xff, 0xff, 0xff, 0x07];
  const globals = longer(body(section.globals), [0x7f, 1, 0x41, ...most, 0x0b, 0x7f, 1, 0x41, 0, 0x0b], 2);
  const named = (name: string, global: number) => [
    name.length,
    ...new TextEncoder().encode(name),
    3,
    ...leb(global),
  ];
  const exports = longer(body(section.exports), [...named("fuel", fuel), ...named("stack", imported)], 2);
  const code = metered(body(section.code), fuel);
  const out: Bytes[] = [bytes.subarray(0, 8)];
  for (const { id, body } of sections) {
    const now =
      id === section.globals ? globals : id === section.exports ? exports : id === section.code ? code : body;
    out.push([id], leb(now.length), now);
  }
  return joined(out);
}

const section = { imports: 2, globals: 6, exports: 7, code: 10 };

function importedGlobals(body: Uint8Array): number {
  const reader = new Reader(body);
  let globals = 0;
  for (let left = reader.number(); left > 0; left--) {
    reader.skip(reader.number());
    reader.skip(reader.number());
    const kind = reader.byte();
    if (kind === 3) globals++;
    // Imports: a function has a type index, a table and a memory have limits, a global and a tag have types.
    if (kind === 0) reader.number();
    else if (kind === 3) reader.skip(2);
    else if (kind === 4) reader.numbers(2);
    else {
      if (kind === 1) reader.skip(1);
      reader.numbers(reader.byte() & 1 ? 2 : 1);
    }
  }
  return globals;
}

function metered(body: Uint8Array, fuel: number): Uint8Array {
  const [get, set] = [
    [0x23, ...leb(fuel)],
    [0x24, ...leb(fuel)],
  ];
  // fuel -= 1; if (fuel < 0) trap
  const take = [...get, 0x41, 1, 0x6b, ...set, ...get, 0x41, 0, 0x48, 0x04, 0x40, 0x00, 0x0b];
  // fuel -= length / 64, with the length on the stack before and after
  const length = leb(fuel + 1);
  const takeLength = [0x24, ...length, ...get, 0x23, ...length, 0x41, 6, 0x76, 0x6b, ...set, 0x23, ...length];

  const reader = new Reader(body);
  const out: Bytes[] = [];
  const count = reader.number();
  out.push(leb(count));
  for (let i = 0; i < count; i++) {
    const size = reader.number();
    const end = reader.at + size;
    const parts: Bytes[] = [];
    let from = reader.at;
    const insert = (at: number, what: Bytes) => {
      parts.push(body.subarray(from, at), what);
      from = at;
    };
    for (let locals = reader.number(); locals > 0; locals--) reader.numbers(2);
    insert(reader.at, take);
    while (reader.at < end) {
      const at = reader.at;
      const op = instruction(reader);
      if (op === 0x03) insert(reader.at, take);
      else if (op === memoryCopy || op === memoryFill) insert(at, takeLength);
    }
    parts.push(body.subarray(from, end));
    const text = joined(parts);
    out.push(leb(text.length), text);
  }
  return joined(out);
}

const [memoryCopy, memoryFill] = [0xfc0a, 0xfc0b];

/**
 * unreachable, nop, else, end, return, catch_all, drop, select, ref.is_null: instructions without immediates, besides
 * arithmetic.
 */
const alone = [0x00, 0x01, 0x05, 0x0b, 0x0f, 0x19, 0x1a, 0x1b, 0xd1];

/** Reads one instruction with its immediates. */
function instruction(reader: Reader): number {
  const op = reader.byte();
  // block, loop, if, try: a type
  if (op === 0x02 || op === 0x03 || op === 0x04 || op === 0x06) reader.number();
  else if (op === 0x0e) reader.numbers(reader.number() + 1);
  else if (op === 0x11 || op === 0x13) reader.numbers(2);
  else if (op === 0x1c) reader.numbers(reader.number());
  else if (op === 0x41 || op === 0x42) reader.number();
  else if (op === 0x43) reader.skip(4);
  else if (op === 0x44) reader.skip(8);
  // loads and stores: alignment and offset
  else if (op >= 0x28 && op <= 0x3e) reader.numbers(2);
  // One index: labels, functions, tags, locals, globals, tables, memories, a null type
  else if ([0x07, 0x08, 0x09, 0x0c, 0x0d, 0x10, 0x12, 0x18, 0x3f, 0x40, 0xd0, 0xd2].includes(op))
    reader.number();
  else if (op >= 0x20 && op <= 0x26) reader.number();
  else if (op === 0xfc) {
    const more = reader.number();
    if (more > 17) fail("fuel", `instruction 0xfc ${more} is unknown. Add its immediates to instruction().`);
    if (more > 7) reader.numbers(more === 8 || more === 10 || more === 12 || more === 14 ? 2 : 1);
    return 0xfc00 | more;
  } else if (!(op >= 0x45 && op <= 0xc4) && !alone.includes(op))
    fail("fuel", `instruction 0x${op.toString(16)} is unknown. Add its immediates to instruction().`);
  return op;
}
