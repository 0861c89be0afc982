import { setBackend } from "reins";
import { Lesson } from "./lesson.ts";
import type { Said, Told } from "./messages.ts";

const say = (said: Said) =>
  postMessage(said, said.kind === "saved" ? { transfer: [said.bytes.buffer] } : undefined);

// There is nothing else in a page, and the same numbers come out in Node when it is told so.
setBackend("wasm");
const lesson = new Lesson(say);

addEventListener("message", ({ data }: MessageEvent<Told>) => {
  if (data.do !== "begin") return lesson.tell(data);
  lesson.go(data).catch((error: Error) => say({ kind: "failed", why: error.message }));
});
