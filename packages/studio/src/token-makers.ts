/** Whether the model sampled a token: only these tokens have a log-probability. */
export const isSampled = (maker: unknown): boolean => maker === "policy" || maker === "greedy";

/** Whether a token enters the loss: tokens of the model, and of a teacher that it imitates. */
export const isTrained = (maker: unknown): boolean => isSampled(maker) || maker === "teacher";
