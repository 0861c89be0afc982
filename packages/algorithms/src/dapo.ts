import { grpo } from "./grpo.ts";

/** DAPO: a higher upper clip, groups that tell nothing are replaced, every token counts the same. Its price for long texts is `overlongMargin`. */
export const dapo = grpo.with("dapo", {
  summary: "GRPO with a higher upper clip, and groups without differences played anew.",
  paper: "DAPO: An Open-Source LLM Reinforcement Learning System at Scale (Yu et al., 2025)",
  options: { clipHigh: 0.28, filter: "refill", aggregation: "token" },
});
