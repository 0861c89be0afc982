import { Run } from "@reins/core"; import { dqn, sac, ppo, td3 } from "@reins/algorithms"; import { make } from "@reins/envs";
const go = (name, alg, env, steps) => { try { const s = { spec: make(env, { rows: 1 }).spec, make: (rows) => make(env, { rows }) }; const run = new Run({ algorithm: alg, env: s, steps, seed: 1 }); run.advance(); console.log(name, "ok", run.metrics["loss/value"]); } catch (e) { console.log(name, "FAIL", e.message, e.stack?.split("\n").slice(1, 4).join("|")); } };
go("dqn small", dqn({ hidden: [16], batch: 8, learningStarts: 100, capacity: 500 }), "CartPole-v1", 1000);
go("dqn nodouble", dqn({ hidden: [16], batch: 8, learningStarts: 100, capacity: 500, double: false }), "CartPole-v1", 1000);
go("dqn 120-84", dqn({ learningStarts: 100, capacity: 500, double: false }), "CartPole-v1", 1000);
go("dqn cleanrl", dqn({ learningStarts: 1000, capacity: 10000, double: false, clipNorm: Infinity }), "CartPole-v1", 3000);
go("dqn cap 10000", dqn({ learningStarts: 1000, capacity: 10000 }), "CartPole-v1", 3000);
go("sac", sac({ hidden: [16, 16], batch: 8, learningStarts: 100, capacity: 500 }), "Pendulum-v1", 500);
