// What `npm start` runs in a fresh workspace: says at once what it does, builds, then lets an agent learn.
import { spawn } from "node:child_process";

const { stdout } = process;
const began = performance.now();
const seconds = () => Math.round((performance.now() - began) / 1000);
stdout.write("Building Reins; the first time takes up to a minute …");
const ticking = setInterval(() => stdout.write(stdout.isTTY ? ` ${seconds()} s` : "."), 3000);
const [code, said] = await build();
clearInterval(ticking);
stdout.write(stdout.isTTY ? "\r\x1b[K" : "\n");
if (code === 0) await import(new URL("./dist/packed/start.js", import.meta.url).href);
else {
  stdout.write(`${said}\nreins: it cannot be built; see above.\n`);
  process.exitCode = 1;
}

/** Builds all packages; what the compiler says is kept for when it fails. */
function build() {
  let text = "";
  const child = spawn("npm", ["run", "--silent", "build"], { shell: process.platform === "win32" });
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
  return new Promise((done) => {
    child.on("error", (error) => done([1, error.message]));
    child.on("close", (code) => done([code, text]));
  });
}
