// Training runs in a worker, so the page stays responsive. The result is an agent file, which `reins/agent` loads and runs.
import { loadAgent } from "reins/agent";

const said = document.querySelector("#said");

/** Trains in a worker. Resolves to the bytes of the agent and its mean return. */
function learn(worker, steps) {
  const learned = new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = ({ data }) => {
      if (data.failed) reject(new Error(data.failed));
      else if (data.bytes) resolve(data);
      else said.textContent = `${data.steps} steps, return ${data.mean}`;
    };
    worker.postMessage({ steps });
  });
  return learned.finally(() => worker.terminate());
}

async function main(worker, steps) {
  const { bytes, mean } = await learn(worker, steps);
  const agent = await loadAgent(bytes);
  const action = agent.act([0, 0, 0.1, 0.5]);
  said.textContent = `Return ${mean} of 500. With the pole leaning right, the agent pushes ${action === 1 ? "right" : "left"}.`;
  return `${mean} ${action} ${agent.steps}`;
}

/** Trains when the button is pressed, or at once with `?steps=4096`; `window.done` resolves to a summary. */
export function begin(makeWorker) {
  const go = (steps) => {
    window.done = main(makeWorker(), steps);
  };
  const steps = new URLSearchParams(location.search).get("steps");
  if (steps) go(Number(steps));
  document.querySelector("#learn").onclick = () => go(60_000);
}
