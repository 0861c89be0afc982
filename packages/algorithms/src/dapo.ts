import { grpo } from "./grpo.ts";

/**
 * DAPO: a higher upper clip bound, resampling of groups with equal rewards, token-mean loss. Its penalty on long
 * completions is `overlongMargin`.
 */
export const dapo = grpo.with("dapo", {
  summary: "GRPO with a higher upper clip bound and resampling of groups with equal rewards.",
  paper: "DAPO: An Open-Source LLM Reinforcement Learning System at Scale (Yu et al., 2025)",
  options: { clipHigh: 0.28, filter: "refill", aggregation: "token" },
});
