import { fail } from "@reins/core";
import { writeAgent } from "../agents/agent-file.ts";
import { writeBytes } from "../agents/bytes.ts";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { text, toggle } from "../cli/flags.ts";
import { agentFlags, openAgent } from "../cli/open-agent.ts";
import { usageError } from "../cli/usage.ts";
import { exportModule } from "../export/export-module.ts";
import { onnxOf } from "../export/export-onnx.ts";
import { exportSafetensors } from "../export/export-safetensors.ts";
import type { PortInfo } from "../export/onnx/signature.ts";
import { grouped, short } from "../terminal/format.ts";
import { print } from "../terminal/io.ts";
import { loadLearner } from "../training/from-agent.ts";

const flags = {
  onnx: text("FILE", "write an ONNX model, for runtimes in any language"),
  module: text(
    "FILE",
    "write a JavaScript module without imports, with its weights inside: act(observation)",
  ),
  safetensors: text("FILE", "write the weights by name"),
  agent: text(
    "FILE",
    "write the agent with its training state, to continue in a web page or with train --from",
  ),
  mask: toggle("add an input for the action mask"),
  best: agentFlags.best,
  trust: agentFlags.trust,
};

/** `reins export` */
export const command: Command = {
  usage: "export [run | file] --onnx FILE | --module FILE | --safetensors FILE | --agent FILE",
  about: `Exports a trained agent for programs that do not use Reins. The agent is that of a run, given by its directory or by its name in runs/ (default: the newest), or a saved agent file. Exported policies are greedy and include the wrappers of training, such as normaliseObservation. A recurrent agent takes its state and returns the next one. Several files can be written at once.`,
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins export --onnx policy.onnx", "the newest run, for ONNX Runtime and others"],
    ["reins export ppo-CartPole-v1-1 --module act.js", "for a web page or a service, with types in act.d.ts"],
    ["reins export cart.agent --safetensors weights.safetensors", "weights, for PyTorch and others"],
    ["reins export ppo-CartPole-v1-1 --agent cart.agent", "to continue training, for example in the studio"],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(args, flags, { command: "export" });
    noMore(words, 1, "export");
    const { onnx, module, safetensors, agent: file, mask = false, best } = given;
    if ([onnx, module, safetensors, file].every((f) => f === undefined))
      usageError(
        "missing output. Add --onnx policy.onnx, --module act.js, --safetensors weights.safetensors or --agent mine.agent.",
      );
    if (file !== undefined && best)
      usageError(
        "--best cannot be combined with --agent: the best agent is saved without its training state. Leave one of them out.",
      );
    const types = module === undefined ? undefined : declarationFile(module);
    const { agent, path } = await openAgent(words[0], given);
    const say = (file: string, bytes: Uint8Array, what: string) =>
      print(io.out, `${file}   ${grouped(bytes.length)} bytes   ${what}`);
    print(
      io.out,
      `${path}   ${agent.algorithm} on ${agent.spec.id}, after ${short(agent.steps)} ${agent.spec.action.kind === "text" ? "tokens" : "steps"}`,
    );
    if (agent.masked && !mask && (onnx !== undefined || module !== undefined))
      print(
        io.err,
        `reins: ${agent.spec.id} has action masks, but the export does not: it may choose forbidden actions. Add --mask.`,
      );
    if (onnx !== undefined) {
      const { bytes, inputs, outputs } = await onnxOf(agent, { mask });
      await writeBytes(onnx, bytes);
      say(onnx, bytes, "ONNX model, opset 17");
      print(io.out, ...portLines("inputs ", inputs), ...portLines("outputs", outputs));
    }
    if (module !== undefined && types !== undefined) {
      const texts = await exportModule(agent, { mask });
      const [code, declarations] = [texts.code, texts.types].map((t) => new TextEncoder().encode(t));
      await writeBytes(module, code);
      await writeBytes(types, declarations);
      say(module, code, `JavaScript module without imports; types in ${types}`);
    }
    if (safetensors !== undefined) {
      const bytes = await exportSafetensors(agent);
      await writeBytes(safetensors, bytes);
      say(safetensors, bytes, "weights by name");
    }
    if (file !== undefined) {
      const { content } = await loadLearner(path);
      if (!content.training)
        fail(path, "the agent was saved without its training state. Save it with `training: true`.");
      const bytes = writeAgent(content);
      await writeBytes(file, bytes);
      say(file, bytes, "agent with its training state");
    }
    return 0;
  },
};

/** Inputs or outputs of a model, one per line. */
function portLines(heading: string, ports: readonly PortInfo[]): string[] {
  const width = Math.max(...ports.map((p) => p.name.length));
  return ports.map(
    ({ name, dtype, shape }, i) =>
      `  ${i ? " ".repeat(heading.length) : heading}   ${name.padEnd(width)}   ${dtype} [${shape.join(", ")}]`,
  );
}

/** The declaration file of a module. */
function declarationFile(module: string): string {
  const types = module.replace(/\.js$/, ".d.ts").replace(/\.mjs$/, ".d.mts");
  return types === module ? usageError(`--module ${module} must end in .js or .mjs.`) : types;
}
