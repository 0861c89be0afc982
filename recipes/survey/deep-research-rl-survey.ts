import { mapped } from "@reins/recipes";

export default mapped({
  id: "deep-research-rl-survey",
  paper: "Reinforcement Learning Foundations for Deep Research Systems: A Survey",
  source: "arXiv:2509.06733",
  about:
    "RL for research agents: data synthesis, RL methods (training regimes, rewards and credit, multimodal agents), training frameworks, architectures and evaluation. The methods are those of the authors' list (wenjunli-0/deepresearch-survey).",
  covers: {
    "Data synthesis": {
      "Generated problems of rising difficulty": "docs/language.md",
      "WebDancer, WebSailor, WebShaper, WebWatcher, MEM1, Go-Browse, R-Search (multi-source), Pangu DeepDiver, SWiRL, SearchExpert":
        "not yet",
      DeepResearcher: "deepresearcher",
    },
    "Training regimes": {
      "Search-R1, ReSearch": "docs/conversations.md",
      SSRL: "ssrl",
      ARTIST: "artist",
      "R1-Searcher, ZeroSearch, ASearcher, s3, Reasoning-Table, AutoRefine, ARPO, MEM1 (training), RAG-R1, EvolveSearch, FrugalRAG, Writing-RL":
        "not yet",
    },
    "Rewards and credit": {
      IKEA: "ikea-search-agent",
      "Turn-level credit (MT-GRPO)": "docs/conversations.md",
      "s3 (rewards), AutoRefine (rewards), R1-Searcher++, StepSearch, O²-Searcher, R-Search": "not yet",
    },
    "Multimodal agents": {
      OpenThinkIMG: "openthinkimg",
      "Visual-ARFT, VRAG-RL, MMSearch-R1, VTool-R1, WebWatcher (vision), Ego-R1, M3-Agent": "not yet",
    },
    "Training frameworks": {
      verl: "docs/glossary.md",
      "Agent Lightning": "docs/conversations.md",
      AReaL: "areal",
      "AWorld, OpenR, rLLM, ROLL, slime, Verifiers": "not yet",
    },
    "Architecture and coordination": {
      "MMOA-RAG, OWL, Chain-of-Agents, PaSa, WebThinker, HiRA, Optimas, MHGPO": "not yet",
      "Several roles, each trained": "docs/conversations.md",
    },
    Benchmarks: {
      "HotpotQA, 2WikiMultiHopQA, Natural Questions, MuSiQue, FEVER, Bamboogle, FRAMES, BrowseComp, BrowseComp-ZH, InfoDeepSeek, WebWalker, WideSearch, MMSearch, MRAMG-Bench, MM-BrowseComp, OmniBench":
        "not yet",
      "ProxyQA, WritingBench, LongEval, DeepResearch Bench, xbench, τ²-Bench, Finance Agent Benchmark, FinGAIA, OdysseyBench":
        "not yet",
      "Facts over several hops": "packages/language/src/multi-turn/environments/hops.ts",
    },
  },
});
