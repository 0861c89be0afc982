/** `@reins/nn` under one name, because layers and operations share names (`attention`, `sum`). */
export * as nn from "@reins/nn";
