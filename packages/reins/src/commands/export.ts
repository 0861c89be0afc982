import { fail } from "@reins/core";
import { writeAgent } from "../agents/agent-file.ts";
import { writeBytes } from "../agents/bytes.ts";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { text, toggle } from "../cli/flags.ts";
import { agentFlags, openAgent } from "../cli/open-agent.ts";
import { misuse } from "../cli/usage.ts";
import { exportModule } from "../export/export-module.ts";
import { onnxOf } from "../export/export-onnx.ts";
import { exportSafetensors } from "../export/export-safetensors.ts";
import type { PortInfo } from "../export/onnx/signature.ts";
import { print } from "../terminal/io.ts";
import { grouped, short } from "../terminal/words.ts";
import { learnerIn } from "../training/from-agent.ts";

const flags = {
  onnx: text("FILE", "write an ONNX model, for runtimes in any language"),
  module: text("FILE", "write one JavaScript file without imports, its weights inside: act(observation)"),
  safetensors: text("FILE", "write the weights alone, by their names"),
  agent: text("FILE", "write the agent with its training, to go on elsewhere: in a page, or by train --from"),
  mask: toggle("take a mask of the choices that are allowed, too"),
  best: agentFlags.best,
  trust: agentFlags.trust,
};

/** `reins export` */
export const command: Command = {
  usage: "export [run | file] --onnx FILE | --module FILE | --safetensors FILE | --agent FILE",
  about: `Writes a trained agent for programs that do without Reins. The run is named by its directory or by its name in runs/; without one it is the newest. The file of an agent will do as well. Exports choose the best action, without chance; what the agent was trained in, such as normaliseObservation, is part of them. An agent with memory takes its state and gives the next one. Several files may be asked for at once.`,
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins export --onnx policy.onnx", "the newest run, for ONNX Runtime and others"],
    ["reins export ppo-CartPole-v1-1 --module act.js", "for a page or a service, with act.d.ts beside it"],
    ["reins export cart.agent --safetensors weights.safetensors", "weights, for PyTorch and others"],
    [
      "reins export ppo-CartPole-v1-1 --agent cart.agent",
      "one file to go on from, in the page of the studio",
    ],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(args, flags, { command: "export" });
    noMore(words, 1, "export");
    const { onnx, module, safetensors, agent: file, mask = false, best } = given;
    if ([onnx, module, safetensors, file].every((f) => f === undefined))
      misuse(
        "what is to be written? Add --onnx policy.onnx, --module act.js, --safetensors weights.safetensors or --agent mine.agent.",
      );
    if (file !== undefined && best)
      misuse("--best was kept without its training. Leave --best or --agent out.");
    const types = module === undefined ? undefined : typesBeside(module);
    const { agent, path } = await openAgent(words[0], given);
    const say = (file: string, bytes: Uint8Array, what: string) =>
      print(io.out, `${file}   ${grouped(bytes.length)} bytes   ${what}`);
    print(io.out, `${path}   ${agent.algorithm} on ${agent.spec.id}, after ${short(agent.steps)} steps`);
    if (agent.masked && !mask && (onnx !== undefined || module !== undefined))
      print(
        io.err,
        `reins: ${agent.spec.id} has masks, and what is written here knows none: it may choose what is forbidden. Add --mask.`,
      );
    if (onnx !== undefined) {
      const { bytes, inputs, outputs } = await onnxOf(agent, { mask });
      await writeBytes(onnx, bytes);
      say(onnx, bytes, "an ONNX model, opset 17");
      print(io.out, ...portLines("takes", inputs), ...portLines("gives", outputs));
    }
    if (module !== undefined && types !== undefined) {
      const texts = await exportModule(agent, { mask });
      const [code, declarations] = [texts.code, texts.types].map((t) => new TextEncoder().encode(t));
      await writeBytes(module, code);
      await writeBytes(types, declarations);
      say(module, code, `a module without imports; its types are in ${types}`);
    }
    if (safetensors !== undefined) {
      const bytes = await exportSafetensors(agent);
      await writeBytes(safetensors, bytes);
      say(safetensors, bytes, "weights by name");
    }
    if (file !== undefined) {
      const { content } = await learnerIn(path);
      if (!content.training)
        fail(path, "it was kept without its training: save it with `training: true` where it was trained.");
      const bytes = writeAgent(content);
      await writeBytes(file, bytes);
      say(file, bytes, "the agent and its training");
    }
    return 0;
  },
};

/** What a model takes, or gives, one a line. */
function portLines(does: string, ports: readonly PortInfo[]): string[] {
  const width = Math.max(...ports.map((p) => p.name.length));
  return ports.map(
    ({ name, dtype, shape }, i) =>
      `  ${i ? " ".repeat(does.length) : does}   ${name.padEnd(width)}   ${dtype} [${shape.join(", ")}]`,
  );
}

/** The file of declarations that belongs to a module. */
function typesBeside(module: string): string {
  const types = module.replace(/\.js$/, ".d.ts").replace(/\.mjs$/, ".d.mts");
  return types === module ? misuse(`--module ${module} must end in .js or .mjs.`) : types;
}
