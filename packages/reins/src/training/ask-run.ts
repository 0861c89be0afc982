import { connect } from "node:net";
import { fail } from "@reins/core";
import type { RemoteAnswer, RemoteCommand, RunState } from "@reins/core/directory";
import { channelAt } from "./channel.ts";

/** Tells a run something and waits for its answer. */
export function askRun(folder: string, command: RemoteCommand): Promise<{ done: string; state: RunState }> {
  return new Promise((resolve, reject) => {
    const socket = connect(channelAt(folder));
    const refuse = (why: string) => {
      try {
        fail(folder, why);
      } catch (error) {
        reject(error);
      }
    };
    let text = "";
    socket.setEncoding("utf8");
    socket.on("connect", () => socket.write(`${JSON.stringify(command)}\n`));
    socket.on("data", (more: string) => {
      text += more;
      if (!text.includes("\n")) return;
      socket.end();
      const answer = JSON.parse(text) as RemoteAnswer;
      if ("error" in answer) refuse(answer.error);
      else resolve(answer);
    });
    socket.on("error", ({ code }: NodeJS.ErrnoException) =>
      refuse(
        code === "EACCES"
          ? "its run belongs to another user."
          : "no run goes on here that can be told something. reins runs lists them with their states.",
      ),
    );
    // After an answer this changes nothing.
    socket.on("close", () => refuse("the run ended before it answered."));
  });
}
