import { mapped } from "@reins/recipes";

export default mapped({
  id: "agentic-rl-survey",
  paper: "The Landscape of Agentic Reinforcement Learning for LLMs: A Survey",
  source: "arXiv:2509.02547",
  about:
    "Language models as agents in partially observable, multi-step tasks, by capability (planning, tools, memory, reasoning, self-improvement, perception) and by task, with environments and frameworks. The methods are those of the authors' tables (xhyumiracle/Awesome-AgenticLLM-RL-Papers).",
  covers: {
    "PPO family": {
      PPO: "docs/algorithms/ppo.md",
      "PF-PPO": "pf-ppo",
      "VAPO, VinePPO, PSGPO": "not yet",
    },
    "Preference optimisation": {
      "DPO, β-DPO, SimPO, IPO, KTO, ORPO, Step-DPO, LCPO": "not yet",
    },
    "GRPO family": {
      GRPO: "docs/algorithms/grpo.md",
      DAPO: "docs/algorithms/dapo.md",
      "Dr. GRPO": "docs/algorithms/dr-grpo.md",
      GSPO: "docs/algorithms/gspo.md",
      GMPO: "docs/post-training.md",
      LUFFY: "packages/core/src/losses/teacher-ratio.ts",
      GHPO: "ghpo",
      DARS: "dars",
      StarPO: "docs/conversations.md",
      "ProRL, Posterior-GRPO, Step-GRPO, SRPO, GRESO, Skywork R1V2, ASPO, TreePO, EDGE-GRPO, ARPO, CHORD, PAPO, Pass@k Training, KTAE":
        "not yet",
    },
    "Search and research agents": {
      "Search-R1, ReSearch": "docs/conversations.md",
      AutoTIR: "autotir",
      SSRL: "ssrl",
      "DeepRetrieval, R1-Searcher, R1-Searcher++, StepSearch, Tool-Star, WebDancer, WebThinker, WebSailor, WebWatcher, ASearcher, ZeroSearch, Search Self-play":
        "not yet",
      "OpenAI Deep Research, Perplexity DeepResearch, Gemini DeepResearch, Kimi-Researcher, Grok DeepSearch, Doubao Deep Think":
        "not yet",
    },
    "Code agents": {
      AceCoder: "not yet",
      RLTF: "rltf",
      CTRL: "ctrl-critic",
      RLCoder: "rlcoder",
      "DeepCoder-14B, CURE, Absolute Zero, MSRL, StepCoder, Process Supervision-Guided PO, CodeBoost, PRLCoder, o1-Coder, CodeFavor, Focused-DPO":
        "not yet",
      "RLEF, μCode, R1-Code-Interpreter, IterPref, LeDex, ReVeal, Policy Filtration for RLHF": "not yet",
      "DeepSWE, SWE-RL, Satori-SWE, Qwen3-Coder, ML-Agent, DeepAnalyze, SWEET-RL": "not yet",
    },
    "Mathematical agents": {
      ARTIST: "artist",
      "AutoTIR (mathematics)": "autotir",
      "ToRL, ZeroTIR, TTRL, RENT, Satori, 1-shot RLVR, Prover-Verifier Games, rStar2-Agent, Parallel-R1, START, LADDER, SWiRL, RLoT, SCRIBE":
        "not yet",
      "DeepSeek-Prover-v1.5, DeepSeek-Prover-v2, Leanabell-Prover, Kimina-Prover, Seed-Prover, ProofNet++, InternLM2.5-StepProver, Lean-STaR, STP":
        "not yet",
    },
    "GUI agents": {
      "UI-R1": "ui-r1",
      "MM-Navigator, SeeAct, TRISHUL, InfiGUIAgent, UI-AGILE, TongUI, GUI-R1, InfiGUI-R1, AgentCPM, WebAgent-R1, UI-TARS, DigiRL, ZeroGUI, MobileGUI-RL":
        "not yet",
    },
    "Multi-agent systems": {
      ReMA: "rema",
      "CAMEL, MetaGPT, MAD, MoA, AFlow, GPTSwarm, MaAS, G-Designer, MALT, MARFT, MAPoRL, MLPO, FlowReasoner, LERO, MMedAgent-RL, OWL":
        "not yet",
    },
    Environments: {
      "LMRL-Gym": "lmrl-gym",
      "APIs that change records, as in AppWorld":
        "packages/language/src/multi-turn/environments/api-world.ts",
      "ALFWorld, TextWorld, ScienceWorld, AgentGym, AgentBench, InternBootcamp, LoCoMo, MemoryAgentBench, WebShop, Mind2Web, WebArena, VisualWebArena, AndroidWorld, OSWorld, Debug-Gym, MLE-Dojo, τ-bench, SWE-bench, Crafter, Craftax, SMAC, Factorio":
        "not yet",
    },
    Frameworks: {
      TRL: "docs/from-trl.md",
      "verl (HybridFlow)": "docs/glossary.md",
      "Stable Baselines3": "docs/from-sb3.md",
      "Agent Lightning": "docs/conversations.md",
      AReaL: "areal",
      "Verifiers, SkyRL, MARTI, EasyR1, AgentFly, OpenRLHF, trlX, slime, RLlib, Acme, Tianshou, PFRL":
        "not yet",
    },
  },
});
