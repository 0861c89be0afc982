import { defaultRng, stream } from "@reins/core/random";
import { SkillField } from "@reins/envs";
import { mean, recipe, type Trial } from "@reins/recipes";
import {
  alpGmm,
  covarGmm,
  type MixtureTeacherOptions,
  randomTeacher,
  type Teacher,
} from "./alp-gmm.parts.ts";

/** Learnable skills per dimension, exercises per skill, and all skills per dimension: everything, half or a quarter can be learned. */
const [learnable, exercises] = [12, 10];
const sizes = [12, 17, 24];

const arm = (name: string, make: (options: MixtureTeacherOptions) => Teacher, window = 250) => ({
  name,
  run({ seed, budget }: Trial) {
    const early: number[] = [];
    const [all, half, quarter] = sizes.map((size) => {
      const student = new SkillField({ size, learnable, exercises });
      const teacher = make({ dimensions: 2, window, random: defaultRng(stream(seed, name, size)) });
      for (let t = 0; t < budget / sizes.length; t++) {
        const point = teacher.next();
        if (early.length < 5) early.push(point[0]);
        teacher.told(point, student.practise(point));
      }
      return student.mastered;
    });
    return { values: { mastered: mean([all, half, quarter]), all, half, quarter }, early, used: budget };
  },
});

const share = (about: string) => ({ about, better: "higher", worst: 0, best: 1 }) as const;
const gain = { smallest: 0.1, because: "fourteen of the 144 skills: a line of them and more" };

export default recipe({
  id: "alp-gmm",
  paper: "Teacher algorithms for curriculum learning of Deep RL in continuously parameterized environments",
  source: "arXiv:1910.07224",
  about:
    "A teacher chooses the parameters of each exercise for a student that is a black box. ALP-GMM fits Gaussian mixtures to recent exercises and their absolute learning progress (the change of reward from the nearest earlier exercise), and samples from the Gaussians in proportion to their progress; one exercise in five is uniformly random. Claimed: it masters more than random exercises, also where most of the space cannot be learned. Other teachers (Covar-GMM, RIAC) are adapted and compared.",
  system: arm("ALP-GMM", alpGmm),
  baselines: [arm("random", randomTeacher), arm("Covar-GMM", covarGmm)],
  ablations: [arm("ALP-GMM, 100 a fit", alpGmm, 100), arm("Covar-GMM, 100 a fit", covarGmm, 100)],
  metrics: {
    mastered: share("share of skills mastered, mean of three spaces"),
    quarter: share("share of skills mastered where a quarter can be learned"),
  },
  claims: [
    { ...gain, metric: "mastered", contrast: ["ALP-GMM", "random"] },
    {
      ...gain,
      metric: "quarter",
      contrast: ["ALP-GMM", "random"],
      paper: "robust to what cannot be learned",
    },
    { ...gain, metric: "mastered", contrast: ["ALP-GMM", "Covar-GMM"] },
  ],
  budget: { unit: "exercises", full: 15_000, quick: 1500 },
  minutes: 2,
  deviations: [
    "A student made of skills that unlock their neighbours, as in the paper's cube environment, replaces BipedalWalker and SAC: 12 × 12 skills of ten exercises each, in two dimensions.",
    "Nothing is tuned: fits of 250 exercises and a random fifth are the authors' settings; mixtures have two, four or six components, the authors' two to ten. RIAC and the oracle are left out.",
    "Covar-GMM is that of the authors' program (flowersteam/teachDeepRL): its interest is the positive part of the covariance of reward and time, and time is measured within a fit.",
  ],
  tried: [
    "Mixtures of up to eight components, three seeds: where everything can be learned ALP-GMM 0.30, Covar-GMM 0.48, random 0.09; where an eighth can be learned 0.05, 0.07 and 0.",
  ],
  finding: (f) =>
    `Shown: ALP-GMM masters more skills than random exercises, also where three quarters of the space cannot be learned. What speaks against the method itself: the gain over the older Covar-GMM, which has the same mixtures and another measure of progress, is negligible (${f.effect(2)}). ALP-GMM masters ${f.mean("ALP-GMM", "mastered")} of the skills, Covar-GMM ${f.mean("Covar-GMM", "mastered")} and random exercises ${f.mean("random", "mastered")}; where a quarter can be learned ${f.mean("ALP-GMM", "quarter")}, ${f.mean("Covar-GMM", "quarter")} and ${f.mean("random", "quarter")}. Nothing was tuned, and more frequent fits help both: with 100 exercises per fit they master ${f.mean("ALP-GMM, 100 a fit", "mastered")} and ${f.mean("Covar-GMM, 100 a fit", "mastered")}. With the absolute covariance, which the authors do not use, Covar-GMM had mastered more than ALP-GMM in an earlier measurement.`,
});
