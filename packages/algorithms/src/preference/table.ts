import { aot, aotUnpaired } from "./aot.ts";
import { apoDown, apoZero } from "./apo.ts";
import { bco } from "./bco.ts";
import { alphapo, cpo, simpo } from "./cpo.ts";
import { discopop } from "./discopop.ts";
import { dpo, normalisedDpo } from "./dpo.ts";
import { exo } from "./exo.ts";
import { ipo } from "./ipo.ts";
import { kto } from "./kto.ts";
import { lipo } from "./lipo.ts";
import { nca } from "./nca.ts";
import { orpo } from "./orpo.ts";
import { robustDpo } from "./robust-dpo.ts";
import { rrhf } from "./rrhf.ts";
import { slic } from "./slic.ts";
import { sppo } from "./sppo.ts";
import { stepDpo } from "./step-dpo.ts";

/** The names of the methods that learn from compared completions. */
export type PreferenceName =
  | "dpo"
  | "normalised-dpo"
  | "robust-dpo"
  | "step-dpo"
  | "ipo"
  | "slic"
  | "nca"
  | "bco"
  | "exo"
  | "sppo"
  | "aot"
  | "aot-unpaired"
  | "apo-zero"
  | "apo-down"
  | "discopop"
  | "cpo"
  | "simpo"
  | "alphapo"
  | "orpo"
  | "kto"
  | "rrhf"
  | "lipo";

/** The methods that learn from compared completions, by name. */
export const preferenceMethods = {
  dpo,
  "normalised-dpo": normalisedDpo,
  "robust-dpo": robustDpo,
  "step-dpo": stepDpo,
  ipo,
  slic,
  nca,
  bco,
  exo,
  sppo,
  aot,
  "aot-unpaired": aotUnpaired,
  "apo-zero": apoZero,
  "apo-down": apoDown,
  discopop,
  cpo,
  simpo,
  alphapo,
  orpo,
  kto,
  rrhf,
  lipo,
} satisfies { readonly [name in PreferenceName]: unknown };
