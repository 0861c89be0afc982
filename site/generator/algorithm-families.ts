/** Algorithms by family, in the order of the sidebar. Algorithms of no family are listed last. */
export const families: readonly { readonly title: string; readonly names: readonly string[] }[] = [
  {
    title: "Policy gradients",
    names: ["ppo", "ppo-adaptive", "ppo-penalty", "a2c", "ppg", "impala", "trpo", "reinforce"],
  },
  {
    title: "Value-based",
    names: ["dqn", "dqn-adaptive", "c51", "qr-dqn", "iqn", "munchausen-dqn", "rainbow", "r2d2", "pqn"],
  },
  {
    title: "Continuous control",
    names: ["sac", "redq", "droq", "tqc", "crossq", "simba-sac", "td3", "ddpg", "mr-q"],
  },
  {
    title: "Language models",
    names: ["grpo", "dr-grpo", "dapo", "gspo", "cispo", "rloo", "reinforce++", "remax", "sft", "rejection"],
  },
  {
    title: "Preferences",
    names: [
      ...[
        "dpo",
        "normalised-dpo",
        "robust-dpo",
        "step-dpo",
        "ipo",
        "slic",
        "nca",
        "bco",
        "exo",
        "sppo",
        "aot",
      ],
      ...[
        "aot-unpaired",
        "apo-zero",
        "apo-down",
        "discopop",
        "cpo",
        "simpo",
        "alphapo",
        "orpo",
        "kto",
        "rrhf",
      ],
      ...["lipo", "online-dpo", "xpo", "nash-md", "inpo", "egpo", "online-sppo", "spo"],
    ],
  },
  { title: "Evolution", names: ["cem", "cma-es", "es", "ars"] },
  { title: "Tabular and planning", names: ["q", "value-iteration"] },
  { title: "Bandits", names: ["ucb", "thompson", "epsilon-greedy", "gradient-bandit", "linucb"] },
];
