import { egpo } from "./egpo.ts";
import { inpo } from "./inpo.ts";
import { nashMd } from "./nash-md.ts";
import { onlineDpo } from "./online-dpo.ts";
import { onlineSppo } from "./online-sppo.ts";
import { spo } from "./spo.ts";
import { xpo } from "./xpo.ts";

/** The names of the methods that learn from comparisons of the policy's own completions. */
export type OnlinePreferenceName = "online-dpo" | "xpo" | "nash-md" | "inpo" | "egpo" | "online-sppo" | "spo";

/** The methods that learn from comparisons of the policy's own completions, by name. */
export const onlinePreferenceMethods = {
  "online-dpo": onlineDpo,
  xpo,
  "nash-md": nashMd,
  inpo,
  egpo,
  "online-sppo": onlineSppo,
  spo,
} satisfies { readonly [name in OnlinePreferenceName]: unknown };
