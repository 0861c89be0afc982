import { inpo } from "./inpo.ts";
import { onlineDpo } from "./online-dpo.ts";
import { spo } from "./spo.ts";
import { xpo } from "./xpo.ts";

/** The names of the methods that learn from comparisons of the policy's own completions. */
export type OnlinePreferenceName = "online-dpo" | "xpo" | "inpo" | "spo";

/** The methods that learn from comparisons of the policy's own completions, by name. */
export const onlinePreferenceMethods = {
  "online-dpo": onlineDpo,
  xpo,
  inpo,
  spo,
} satisfies { readonly [name in OnlinePreferenceName]: unknown };
