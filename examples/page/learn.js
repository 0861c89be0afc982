/** Trains PPO on CartPole in the worker, and posts its progress. */
export async function learn({ ppo, train }, steps) {
  const agent = await train({
    algorithm: ppo({ envs: 4, steps: 32, hidden: [16] }),
    env: "CartPole-v1",
    steps,
    seed: 3,
    evalEpisodes: 4,
    onProgress: (p) => postMessage({ steps: p.steps, mean: Math.round(p.return) }),
  });
  return { bytes: await agent.save(), mean: agent.return.mean };
}

/** Answers every message with the trained agent. */
export function serve(reins) {
  self.onmessage = ({ data: { steps } }) =>
    learn(reins, steps).then(postMessage, (error) => postMessage({ failed: error.stack }));
}
