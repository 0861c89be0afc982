import type { ModuleBuilder } from "./assembler.ts";

/** How often a waiting thread polls before it sleeps: about ten microseconds. */
const looks = 2000;

/**
 * A function `(thread, threads)` that returns when all threads have called it. It uses two words on the heap: the number of
 * threads that have arrived, and a generation that the last one increments. The global `words` is their address.
 */
export function emitBarrier(module: ModuleBuilder, words: number, mayWait: boolean): number {
  const { index, code } = module.function(["i32", "i32"]);
  const [thread, threads] = [0, 1];
  const [generation, left] = [code.local("i32"), code.local("i32")];
  const arrived = () => code.global(words);
  const current = () => code.global(words).i32(4).op("i32.add");

  code.get(threads).i32(1).op("i32.le_s").if().op("return").op("end");
  current().memory("i32.atomic.load").set(generation);
  arrived().i32(1).memory("i32.atomic.rmw.add").i32(1).op("i32.add").get(threads).op("i32.eq").if();
  arrived().i32(0).memory("i32.atomic.store");
  current().i32(1).memory("i32.atomic.rmw.add").op("drop");
  current().i32(-1).memory("memory.atomic.notify").op("drop").op("return").op("end");

  const ifChanged = () => current().memory("i32.atomic.load").get(generation).op("i32.ne");
  code.i32(looks).set(left).loop();
  ifChanged().if().op("return").op("end");
  code.get(left).i32(1).op("i32.sub").tee(left).brIf(0).op("end");
  code.loop();
  ifChanged().if().op("return").op("end");
  if (!mayWait) code.get(thread).op("i32.eqz").brIf(0);
  current().get(generation).i64(-1).memory("memory.atomic.wait32").op("drop").br(0).op("end");
  return index;
}
