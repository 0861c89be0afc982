import { mapped } from "@reins/recipes";

export default mapped({
  id: "gui-agents-rl-survey",
  paper: "A Survey on GUI Agents with Foundation Models Enhanced by Reinforcement Learning",
  source: "arXiv:2504.20464",
  about:
    "Agents that operate graphical interfaces: perception, planning and acting, trained by prompts, SFT or RL, in static data sets and live environments. The methods are those of the abstract, of published summaries, and the standard ones of its topics; the full text was not available.",
  covers: {
    Perception: {
      "OmniParser, MP-GUI, Screen parsing by accessibility APIs": "not yet",
    },
    "Planning and acting": {
      "Action prediction with rule-based rewards (UI-R1)": "ui-r1",
      "Prompt-based agents": "not yet",
      "Reasoning before the action": "docs/post-training.md",
    },
    Training: {
      "SFT on recorded episodes": "docs/algorithms/sft.md",
      PPO: "docs/algorithms/ppo.md",
      "GRPO with rule-based rewards": "docs/algorithms/grpo.md",
      "Hierarchical multi-turn RL (ArCHer)": "archer",
      "Self-evolving curriculum (WebRL)": "webrl",
      "DigiRL, AutoGLM, GUI-R1": "not yet",
    },
    Environments: {
      "Forms and menus of a site, in text": "packages/language/src/multi-turn/environments/site-forms.ts",
      "Static data sets of screens, Android and web simulators, Real devices": "not yet",
    },
    Evaluation: {
      "Success rate": "docs/conversations.md",
      "Steps, time and cost": "docs/conversations.md",
      "Judgement by a multimodal model": "not yet",
    },
  },
});
