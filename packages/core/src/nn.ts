/** Networks as one name: layers and operations share names (`attention`, `sum`). */
export * as nn from "@reins/nn";
