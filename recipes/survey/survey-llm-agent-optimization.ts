import { mapped } from "@reins/recipes";

export default mapped({
  id: "survey-llm-agent-optimization",
  paper: "A Survey on the Optimization of Large Language Model-based Agents",
  source: "arXiv:2503.12434",
  about:
    "How agents built on language models are improved: by fine-tuning, by RL, by both, or without changing weights, with data sets and applications. The methods are those of the authors' list (YoungDubbyDu/LLM-Agent-Optimization); Reins trains weights, so methods without training are outside of it.",
  covers: {
    "Fine-tuning on trajectories": {
      "SFT on expert conversations": "docs/algorithms/sft.md",
      "Rejection of failed trajectories": "docs/algorithms/rejection.md",
      "Loss on the agent's own turns": "docs/conversations.md",
      "FireAct, AgentTuning, SMART, Agent-FLAN, Self-Talk, AgentGym, LUMOS, STE, NAT, AgentOhana, ToRA, AgentBank, AdaSwitch, SwiftSage, CoEvol, Star-Agents, ATLaS, WKM":
        "not yet",
    },
    "Self-improvement": {
      "Expert iteration": "docs/algorithms/rejection.md",
      "ReST meets ReAct, Re-ReST, E2CL, STeCa, ENVISIONS, Multiagent Finetuning": "not yet",
    },
    "RL with rewards": {
      PPO: "docs/algorithms/ppo.md",
      DAPO: "docs/algorithms/dapo.md",
      AGILE: "agile",
      WebRL: "webrl",
      "EPO (explicit policy)": "epo-explicit",
      ReFT: "docs/post-training.md",
      "CMAT, StepAgent, SaySelf, CORY, GELI, SWEET-RL, POAD, MARFT, AMOR, Retrospex, ATM, NLRL": "not yet",
    },
    Preferences: {
      "ETO, DMPO, Agent Q, EPO (environment preferences), IPR, OPTIMA, DITS, TMBR": "not yet",
    },
    "Without training": {
      "Optimus-1, Agent Hospital, ExpeL, AutoManual, AutoGuide, Experiential Co-Learning": "not yet",
      "Reflexion, QueryAgent, Agent-Pro, SAGE, ReCon, COPPER, MetaReflection, InteRecAgent, Chain-of-Experts, Retroformer, Self-Tuning, OPRO, MPO":
        "not yet",
      "Middleware, AvaTaR, AutoAct, TPTU, Lyra, AgentOptimizer, VideoAgent, Alita, Search-o1": "not yet",
      "RaDA, AutoRAG, RAP, MALADE, PaperQA": "not yet",
    },
    "Several agents": {
      "Several roles, each trained": "docs/conversations.md",
      "CAPO, ChatDev, MetaGPT, MapCoder, DyLAN, MacNet, AgentVerse, SMoA, MAD, AutoGen": "not yet",
    },
    Benchmarks: {
      "AgentBench, AgentGym (benchmark), Just-Eval, StreamBench, AgentBoard, GAIA, Humanity's Last Exam, NESTFUL, MCP-RADAR":
        "not yet",
    },
  },
});
