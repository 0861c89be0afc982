import type { DeviceBinding, DeviceProgram } from "../device.ts";
import type { Plan } from "../lower/lower.ts";
import { isProfiling, measured } from "../profile.ts";
import type { Storage } from "../tensor.ts";

/**
 * One set of buffers for a program on a device. Before a run, inputs that the host has changed are uploaded; after it, results are newer on
 * the device and are downloaded when the host reads them.
 */
export class OnDevice {
  /** Arguments are used where they are: replacing one costs a word. */
  readonly byReference = true;
  private readonly plan: Plan;
  private readonly program: DeviceProgram;
  private readonly binding: DeviceBinding;
  private readonly inputs: Storage[];
  private readonly outputs: Storage[];
  /** The outputs that are not inputs too. */
  private readonly fresh: readonly number[];
  private disposed = false;
  readonly run: () => void;
  /** Only where results cannot be copied to the host at once. */
  readonly replace?: ((output: number, storage: Storage) => void) | undefined;

  constructor(
    name: string,
    program: DeviceProgram,
    plan: Plan,
    inputs: readonly Storage[],
    outputs: readonly Storage[],
  ) {
    this.plan = plan;
    this.program = program;
    this.inputs = [...inputs];
    this.outputs = [...outputs];
    this.fresh = outputs.flatMap((_, i) => (plan.inputs.includes(plan.outputs[i]) ? [] : [i]));
    this.binding = program.bind();
    this.run = () => {
      if (this.disposed) throw new Error("This bound function was disposed. Bind it again.");
      if (isProfiling()) measured("function", name, () => this.start());
      else this.start();
    };
    if (!program.device.download)
      this.replace = (output, storage) => {
        this.outputs[output] = storage;
      };
  }

  private start(): void {
    const { plan, binding, program, inputs, outputs } = this;
    const { device } = program;
    for (let i = 0; i < inputs.length; i++) binding.point(plan.inputs[i], inputs[i].readOn(device));
    for (const i of this.fresh) binding.point(plan.outputs[i], outputs[i].writeOn(device));
    binding.run();
    for (const s of outputs) s.wroteOn(device);
  }

  retarget(input: number, storage: Storage, output = -1): void {
    this.inputs[input] = storage;
    if (output >= 0) this.outputs[output] = storage;
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.binding.dispose();
  }
}
