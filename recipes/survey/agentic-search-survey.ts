import { mapped } from "@reins/recipes";

export default mapped({
  id: "agentic-search-survey",
  paper:
    "A Comprehensive Survey on Reinforcement Learning-based Agentic Search: Foundations, Roles, Optimizations, Evaluations, and Applications",
  source: "arXiv:2510.16724",
  about:
    "Language models that learn with RL when to search, how often, and how to use what they find, by the role of RL, by optimisation and by scope. The methods are those of the authors' table (ventr1c/Awesome-RL-based-Agentic-Search-Papers) up to the survey's date.",
  covers: {
    "Adaptive search": {
      "Search-R1, ReSearch": "docs/conversations.md",
      SSRL: "ssrl",
      IGPO: "igpo",
      DeepResearcher: "deepresearcher",
      "AutoCoA, SimpleDeepSearcher, ExSearch, R1-Searcher, UR², Pangu DeepDiver, VERITAS, WebSailor, GRAIL, DeepNote, SWiRL, MedResearcher-R1":
        "not yet",
    },
    "Search intensity and efficiency": {
      IKEA: "ikea-search-agent",
      "R1-Searcher++, DeepRAG, ReZero, StepSearch, ReasonRAG, Search Wisely, ZeroSearch, ParallelSearch, RAG-R1, WebThinker, Lucy":
        "not yet",
    },
    "Query reformulation and retrieval": {
      "ConvSearch-R1, MaskSearch, DeepRetrieval, s3": "not yet",
    },
    "Reasoning with search": {
      "R-Search, AutoRefine, EvolveSearch, O²-Searcher, Atom-Searcher, HARIS, ASearcher": "not yet",
    },
    "Context and memory": {
      "ReSum, SFR-DeepResearch, WebSailor-V2, WebExplorer, RECON": "not yet",
    },
    "Planners and several agents": {
      "AI-SearchPlanner": "ai-searchplanner",
      "Several roles, each trained": "docs/conversations.md",
      "MAO-ARAG, OPERA, AgentFlow, SIRAG, MMOA-RAG, AgentGym-RL, Chain-of-Agents": "not yet",
    },
    "Several tools and modalities": {
      VerlTool: "verltool",
      "Tools of any kind": "docs/conversations.md",
      "Tool-Star, WebWatcher, Visual-ARFT, VRAG-RL, MMSearch-R1, DynaSearcher, WebDancer, WebResearcher":
        "not yet",
    },
    Algorithms: {
      PPO: "docs/algorithms/ppo.md",
      GRPO: "docs/algorithms/grpo.md",
      DAPO: "docs/algorithms/dapo.md",
      "REINFORCE++": "docs/algorithms/reinforce++.md",
      REINFORCE: "docs/algorithms/reinforce.md",
      "SFT cold start": "docs/algorithms/sft.md",
      "DPO, GEM, DUPO, β-GRPO": "not yet",
    },
    Rewards: {
      "Answer match": "docs/language.md",
      "Format reward": "docs/post-training.md",
      "Length penalty": "docs/post-training.md",
      "Information gain": "igpo",
      "Retrieval cost": "ikea-search-agent sem",
      "Extra search, Redundancy penalty, LLM judge of the answer": "not yet",
    },
  },
});
