/** Objectives of algorithms. Algorithms without an entry show none. */
export const equations: Readonly<Record<string, string>> = {
  ppo: `r(θ) = π_θ(a|s) / π_old(a|s)
L(θ) = E[ min( r(θ) Â, clip(r(θ), 1 − ε, 1 + ε) Â ) ]`,
  a2c: "∇J(θ) = E[ ∇ log π_θ(a|s) Â ] + β ∇H(π_θ)",
  reinforce: "∇J(θ) = E[ Σ_t ∇ log π_θ(a_t|s_t) (G_t − b(s_t)) ]",
  trpo: `maximise  E[ π_θ(a|s) / π_old(a|s) Â ]
subject to  E[ KL(π_old ‖ π_θ) ] ≤ δ`,
  impala: `v_s = V(s) + Σ_t γ^t (Π_{i<t} c_i) ρ_t (r_t + γ V(s_{t+1}) − V(s_t))
ρ_t = min(ρ̄, π/μ),  c_i = min(c̄, π/μ)`,
  grpo: `Â_i = (R_i − mean(R)) / std(R)  within the group of a problem
L(θ) = E[ min( r Â, clip(r, 1 − ε, 1 + ε) Â ) ] − β KL(π_θ ‖ π_ref)`,
  "dr-grpo": "Â_i = R_i − mean(R)  within the group of a problem",
  rloo: "Â_i = R_i − mean of R_j over j ≠ i  within the group of a problem",
  remax: "∇J(θ) = E[ ∇ log π_θ(y|x) (R(x, y) − R(x, y_greedy)) ]",
  gspo: "s_i(θ) = ( π_θ(y_i|x) / π_old(y_i|x) )^(1 / |y_i|)",
  sft: "L(θ) = −E[ Σ_t log π_θ(y_t | x, y_<t) ]",
  dqn: `y = r + γ Q_target(s′, argmax_a′ Q(s′, a′))    (double)
L(θ) = E[ (y − Q_θ(s, a))² ]`,
  "munchausen-dqn": "y = r + α τ log π(a|s) + γ Σ_a′ π(a′|s′) (Q_target(s′, a′) − τ log π(a′|s′))",
  c51: "Z(s, a) = Σ_i p_i(s, a) δ(z_i),  target: projection of r + γ Z_target(s′, a*) onto the atoms z_i",
  "qr-dqn": "L(θ) = E[ |τ − 1{u < 0}| · Huber(u) ],  u = r + γ θ_j(s′, a*) − θ_i(s, a)",
  sac: `y = r + γ ( min_i Q_i(s′, a′) − α log π(a′|s′) ),  a′ ~ π(·|s′)
J(π) = E[ min_i Q_i(s, a) − α log π(a|s) ]`,
  td3: `y = r + γ min_i Q_i(s′, clip(μ_target(s′) + ε)),  ε ~ clip(N(0, σ), −c, c)
J(μ) = E[ Q_1(s, μ(s)) ]`,
  ddpg: `y = r + γ Q_target(s′, μ_target(s′))
J(μ) = E[ Q(s, μ(s)) ]`,
  es: "∇J(θ) ≈ 1/(nσ) Σ_i F(θ + σ ε_i) ε_i,  ε_i ~ N(0, I)",
  q: "Q(s, a) ← Q(s, a) + α ( r + γ max_a′ Q(s′, a′) − Q(s, a) )",
  "value-iteration": "V(s) ← max_a Σ_s′ P(s′|s, a) ( r + γ V(s′) )",
  ucb: "a = argmax_a  mean(a) + √( c ln t / n(a) )",
  "gradient-bandit": "H(a) ← H(a) + α (R − R̄) (1{a = A} − π(a))",
  linucb: "a = argmax_a  xᵀ θ_a + α √( xᵀ A_a⁻¹ x )",
};
