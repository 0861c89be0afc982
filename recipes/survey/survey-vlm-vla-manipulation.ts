import { mapped } from "@reins/recipes";

export default mapped({
  id: "survey-vlm-vla-manipulation",
  paper: "Large VLM-based Vision-Language-Action Models for Robotic Manipulation: A Survey",
  source: "arXiv:2508.13073",
  about:
    "Vision-language-action models for manipulation: monolithic and hierarchical models, RL, training-free acceleration, human videos, world models and data sets. The methods are those of the authors' list (JiuTian-VL/Large-VLM-based-VLA-for-Robotic-Manipulation). Reins trains language models without images and policies without language, so next to nothing is covered.",
  covers: {
    "Single-system models": {
      "RT-2, RT-2-X, RoboFlamingo, LEO, RoboMamba, OpenVLA, ECoT-Lite, ReVLA, DeeR-VLA, TraceVLA, FuSe, UniAct, SpatialVLA, UP-VLA, VLAS, OpenVLA-OFT, PD-VLA, HybridVLA, MoLe-VLA, CoT-VLA, NORA, VTLA, OE-VLA, ReFineVLA, FlashVLA, LoHoVLA, BitVLA, BridgeVLA, UniVLA, WorldVLA, 4D-VLA, VQ-VLA, VOTE, Spec-VLA, ST-VLA, Discrete Diffusion VLA":
        "not yet",
    },
    "Dual-system models": {
      "DP-VLA, RoboDual, LCB, GR00T N1, CogACT, HiRT, GraspVLA, Fast-in-Slow, OpenHelix, ChatVLA, ChatVLA-2, DiffusionVLA, TriVLA, RationalVLA, TinyVLA, π0, π0.5, FAST, Knowledge insulation, ForceVLA, SmolVLA, OneTwoVLA, Tactile-VLA, GR-3, villa-X":
        "not yet",
    },
    Planners: {
      "PaLM-E, ViLa, MoManipVLA, RoboPoint, ManipLVM-R1, Embodied-Reasoner, Reinforced Planning, Chain-of-Modality, Embodied-R, RoVI, ReLEP, RoboBrain":
        "not yet",
    },
    "Planner and policy": {
      "Instruct2Act, VoxPoser, SkillDiffuser, RoboMatrix, RT-Affordance, LLARVA, MALMM, RT-H, ReKep, HAMSTER, Hi Robot, Agentic Robot, DexVLA, PointVLA, A0, RoBridge, RoboCerebra, DexGraspVLA, HiBerNAC, Robix":
        "not yet",
    },
    "Reinforcement learning": {
      "GRAPE, VLA-RL, ReWiND, ConRFT, RLDG, TGRPO, iRe-VLA, RIPT-VLA, Embodied-R1": "not yet",
    },
    Acceleration: {
      "VLA-Cache, PD-VLA (decoding), FlashVLA (tokens), EfficientVLA, SP-VLA, Block-wise caching, Real-time chunking":
        "not yet",
    },
    "Human videos": {
      "3D-VLA, VPDD, HR-Align, LAPA, Humanoid-VLA": "not yet",
    },
    "World models": {
      "FoundationPose, World4Omni, RIGVid, V-JEPA 2, FlowVLA, Genie Envisioner": "not yet",
    },
    "Simulators and benchmarks": {
      "MuJoCo tasks with a language-free goal": "docs/environments.md",
      "BEHAVIOR-1K, ALFRED, RLBench, PerAct², Meta-World, Franka Kitchen, LIBERO, CALVIN, MIKASA, SIMPLER, Habitat, SAPIEN, Colosseum, VLABench":
        "not yet",
    },
    "Data sets": {
      "BC-Z, RT-1, BridgeData, BridgeData V2, RH20T, DROID, Open X-Embodiment, RoboMIND, AgiBot World, BRMData, Ego4D, Ego-Exo4D, EgoPlan-Bench, EgoVid-5M, EPIC-KITCHENS, EgoDex, DexCap, EgoMimic, EQA, OpenEQA, LoTa-Bench":
        "not yet",
    },
  },
});
