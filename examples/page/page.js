// The page stays awake: learning happens in a worker. What comes back is an agent's file, and `reins/agent` is all that acts on it.
import { loadAgent } from "reins/agent";

const said = document.querySelector("#said");

/** Learns in a worker. Resolves to the bytes of the agent, and to how well it did. */
function learn(worker, steps) {
  const learned = new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = ({ data }) => {
      if (data.failed) reject(new Error(data.failed));
      else if (data.bytes) resolve(data);
      else said.textContent = `${data.steps} steps; the pole stands for ${data.mean}`;
    };
    worker.postMessage({ steps });
  });
  return learned.finally(() => worker.terminate());
}

async function main(worker, steps) {
  const { bytes, mean } = await learn(worker, steps);
  const agent = await loadAgent(bytes);
  const action = agent.act([0, 0, 0.1, 0.5]);
  said.textContent = `The pole stands for ${mean} steps of 500. Leaning to the right, it is pushed to the ${action === 1 ? "right" : "left"}.`;
  return `${mean} ${action} ${agent.steps}`;
}

/** Learns when the button is pressed, or at once for `?steps=4096`; `window.done` resolves to what was said. */
export function begin(makeWorker) {
  const go = (steps) => {
    window.done = main(makeWorker(), steps);
  };
  const steps = new URLSearchParams(location.search).get("steps");
  if (steps) go(Number(steps));
  document.querySelector("#learn").onclick = () => go(60_000);
}
