/** The objective or update of each algorithm. */
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
  "munchausen-dqn": `y = r + α τ log π(a|s)
    + γ Σ_a′ π(a′|s′) (Q_target(s′, a′) − τ log π(a′|s′))`,
  c51: `Z(s, a) = Σ_i p_i(s, a) δ(z_i)
target: projection of r + γ Z_target(s′, a*) onto the atoms z_i`,
  "qr-dqn": `L(θ) = E[ |τ − 1{u < 0}| · Huber(u) ]
u = r + γ θ_j(s′, a*) − θ_i(s, a)`,
  sac: `y = r + γ ( min_i Q_i(s′, a′) − α log π(a′|s′) ),  a′ ~ π(·|s′)
J(π) = E[ min_i Q_i(s, a) − α log π(a|s) ]`,
  td3: `y = r + γ min_i Q_i(s′, clip(μ_target(s′) + ε))
ε ~ clip(N(0, σ), −c, c)
J(μ) = E[ Q_1(s, μ(s)) ]`,
  ddpg: `y = r + γ Q_target(s′, μ_target(s′))
J(μ) = E[ Q(s, μ(s)) ]`,
  es: "∇J(θ) ≈ 1/(nσ) Σ_i F(θ + σ ε_i) ε_i,  ε_i ~ N(0, I)",
  q: "Q(s, a) ← Q(s, a) + α ( r + γ max_a′ Q(s′, a′) − Q(s, a) )",
  "value-iteration": "V(s) ← max_a Σ_s′ P(s′|s, a) ( r + γ V(s′) )",
  ucb: "a = argmax_a  mean(a) + √( c ln t / n(a) )",
  "gradient-bandit": "H(a) ← H(a) + α (R − R̄) (1{a = A} − π(a))",
  linucb: "a = argmax_a  xᵀ θ_a + α √( xᵀ A_a⁻¹ x )",
  "ppo-adaptive": `L(θ) of ppo, with settings that follow metrics:
α so that KL(π_old ‖ π_θ) ≈ 0.01
entropy weight so that H(π_θ) ≥ 0.2
clip norm: 1.5 × mean gradient norm`,
  "ppo-penalty": `L(θ) = E[ min( r(θ) Â, clip(r(θ), 1 − ε, 1 + ε) Â ) ]
       − β E[ KL(π_old ‖ π_θ) ]
β ← 2β if KL is above 1.5 × target
β ← β / 2 if KL is below target / 1.5`,
  ppg: `policy phase:     L(θ) of ppo, with a separate critic
auxiliary phase:  L(θ) = ½ E[ (V_θ(s) − V̂)² ] + β E[ KL(π_old ‖ π_θ) ]`,
  dapo: `L(θ) = E[ min( r Â, clip(r, 1 − ε, 1 + ε_high) Â ) ]  over all tokens
ε_high > ε
groups with equal rewards are sampled again`,
  cispo: `L(θ) = E[ stop( clip(r, 1 − ε, 1 + ε_high) ) Â log π_θ(a|s) ]
stop(x): x without a gradient`,
  "reinforce++": `R = score − β Σ_t KL_t,  Â = (R − mean(R)) / std(R)  over the batch
L(θ) = E[ min( r Â, clip(r, 1 − ε, 1 + ε) Â ) ]`,
  rejection: `L(θ) = −E[ Σ_t log π_θ(y_t | x, y_<t) ]
over own completions y with a score of at least a minimum`,
  distill: `L(θ) = E[ Σ_t D( p_teacher(· | x, y_<t), π_θ(· | x, y_<t) ) ]
D: KL(p ‖ π), KL(π ‖ p), or β KL(p ‖ m) + (1 − β) KL(π ‖ m)
with m = β p + (1 − β) π; y sampled by π_θ or recorded`,
  "dqn-adaptive": `L(θ) of dqn; ε is the arm of a bandit on the return
gradients are clipped at a quantile of their recent norms`,
  iqn: `u = r + γ Z_target(s′, a*, τ′) − Z_θ(s, a, τ),  τ, τ′ ~ U(0, 1)
L(θ) = E[ |τ − 1{u < 0}| · Huber(u) ]`,
  rainbow: `y = Σ_{k<n} γ^k r_{t+k} + γ^n Z_target(s_{t+n}, a*),
    projected onto the atoms
a* = argmax_a E[Z_θ(s_{t+n}, a)]
L(θ) = E[ w · KL(y ‖ Z_θ(s_t, a_t)) ]
w: importance weights of prioritised replay`,
  r2d2: `h_t = memory(h_{t−1}, s_t)  from stored states, after a burn-in
y = f( Σ_{k<n} γ^k r_{t+k} + γ^n f⁻¹(Q_target(h_{t+n}, a*)) )
f(x) = sign(x) (√(|x| + 1) − 1) + 10⁻³ x`,
  pqn: `G_t = r_t + γ ( λ G_{t+1} + (1 − λ) max_a Q_θ(s_{t+1}, a) )
L(θ) = E[ (G_t − Q_θ(s_t, a_t))² ]`,
  redq: `y = r + γ ( min_{i∈M} Q_i(s′, a′) − α log π(a′|s′) )
M: two of ten critics, sampled for each update
J(π) = E[ mean_i Q_i(s, a) − α log π(a|s) ]`,
  droq: `y = r + γ ( min_i Q_i(s′, a′) − α log π(a′|s′) )
Q_i: critics with dropout and layer norms
J(π) = E[ mean_i Q_i(s, a) − α log π(a|s) ]`,
  tqc: `y_k = r + γ ( z_(k)(s′, a′) − α log π(a′|s′) )
z_(1) ≤ z_(2) ≤ …: the atoms of all critics, without the highest
J(π) = E[ mean_i z_i(s, a) − α log π(a|s) ]`,
  crossq: `y = r + γ ( min_i Q_i(s′, a′) − α log π(a′|s′) )
Q_i: the critics themselves, without target networks
batch norms of Q_i see (s, a) and (s′, a′) in one batch`,
  "simba-sac": `y = r + γ ( min_i Q_i(s′, a′) − α log π(a′|s′) )
s: normalised by running statistics
blocks of the networks: x ← x + W₂ relu(W₁ LayerNorm(x))`,
  "mr-q": `z = f(s):  predicts the next z, the reward and termination,
       unrolled over a few steps
y = Σ_{k<n} γ^k r_{t+k}
    + γ^n min_i Q_i,target(z_{t+n}, μ_target(z_{t+n}) + noise)`,
  cem: `θ_i ~ N(μ, diag(σ²))
μ ← mean of the elite θ_i,  σ² ← variance of the elite θ_i + noise`,
  "cma-es": `θ_i ~ N(m, σ² C),  m ← Σ_i w_i θ_(i)  over the best
C ← (1 − c₁ − c_μ) C + c₁ p pᵀ + c_μ Σ_i w_i y_i y_iᵀ
y_i = (θ_(i) − m) / σ`,
  ars: `θ ← θ + α / (b σ_R) Σ_{k≤b} ( F(θ + ν δ_k) − F(θ − ν δ_k) ) δ_k
δ_k: the b best directions`,
  thompson: "a = argmax_a θ_a,  θ_a ~ posterior of the mean of arm a",
  "epsilon-greedy": `a = argmax_a  mean(a)  with probability 1 − ε,
    otherwise a uniformly random arm`,
  dpo: `L(θ) = −E[ log σ(β (r⁺ − r⁻)) ],  r = log π_θ(y|x) / π_ref(y|x)
y⁺: the chosen completion,  y⁻: the rejected one`,
  "normalised-dpo": "L(θ) = −E[ log σ(β (r⁺/|y⁺| − r⁻/|y⁻|)) ],  r = log π_θ/π_ref",
  "robust-dpo": `ℓ(m) = −log σ(m),  m = β (r⁺ − r⁻)
L(θ) = E[ ((1 − ε) ℓ(m) − ε ℓ(−m)) / (1 − 2ε) ]`,
  "step-dpo": `L(θ) = −E[ log σ(β (r⁺ − r⁻)) ]
r: of the first step that differs, given the steps before`,
  ipo: "L(θ) = E[ (r⁺/|y⁺| − r⁻/|y⁻| − 1/(2β))² ],  r = log π_θ/π_ref",
  slic: "L(θ) = E[ max(0, 1 − β (r⁺ − r⁻)) ],  r = log π_θ/π_ref",
  nca: "L(θ) = −E[ log σ(βr⁺) + ½ log σ(−βr⁺) + ½ log σ(−βr⁻) ]",
  bco: `L(θ) = −E[ log σ(βr⁺ − δ) + log σ(δ − βr⁻) ]
δ: mean of βr over all completions so far`,
  exo: `L(θ) = E[ p log(p / (1 − ε)) + (1 − p) log((1 − p) / ε) ]
p = σ(β (r⁺ − r⁻))`,
  sppo: "L(θ) = E[ (r⁺ − 1/(2β))² + (r⁻ + 1/(2β))² ],  r = log π_θ/π_ref",
  aot: `L(θ) = −mean_i log σ(β (u_(i) − v_(i)))
u: log π_θ(y⁺)/π_θ(y⁻),  v: log π_ref(y⁺)/π_ref(y⁻),  each sorted`,
  "aot-unpaired": `L(θ) = −mean_i log σ(β (r⁺_(i) − r⁻_(i)))
r⁺ and r⁻ of a batch, each sorted`,
  "apo-zero": "L(θ) = E[ 1 − σ(βr⁺) + σ(βr⁻) ],  r = log π_θ/π_ref",
  "apo-down": "L(θ) = E[ σ(βr⁺) + 1 − σ(β (r⁺ − r⁻)) ],  r = log π_θ/π_ref",
  discopop: `L(θ) = E[ (1 − s) (−log σ(m)) + s exp(−m) ]
m = β (r⁺ − r⁻),  s = σ(m / τ)`,
  cpo: `L(θ) = −E[ log σ(β (log π_θ(y⁺|x) − log π_θ(y⁻|x))) ]
       − λ E[ log π_θ(y⁺|x) / |y⁺| ]`,
  simpo: `L(θ) = −E[ log σ(β (p⁺ − p⁻) − γ) ]
p = log π_θ(y|x) / |y|`,
  alphapo: `L(θ) = −E[ log σ(β (u⁺ − u⁻) − γ) ]
u = (1 − p^−α) / α,  p = π_θ(y|x)^(1 / |y|)`,
  orpo: `L(θ) = −E[ log p⁺ + β log σ(logit p⁺ − logit p⁻) ]
p = π_θ(y|x)^(1 / |y|)`,
  kto: `L(θ) = E[ w (1 − σ(± (βr − z))) ],  + desirable, − undesirable
z = β max(0, KL(π_θ ‖ π_ref)), from mismatched completions`,
  reward: `L(θ) = −E[ Σ_i log( exp r_i / Σ_j exp r_j ) ]  j: i and all worse
for a pair: −log σ( r⁺ − r⁻ − margin ) + c (r⁺ + r⁻)²`,
  "process-reward": `L(θ) = −E[ l_k log σ(r_k) + (1 − l_k) log(1 − σ(r_k)) ]
r_k: reward at the end of step k, l_k: its label`,
  "online-dpo": `L(θ) = −E[ log σ(β (r⁺ − r⁻)) ],  r = log π_θ(y|x) / π_ref(y|x)
y⁺, y⁻: the best and the worst of some completions of π_θ`,
  xpo: `L(θ) = E[ −log σ(β (r⁺ − r⁻)) + α log π_θ(y₀|x) ]
one of y⁺, y⁻ is sampled from π_θ, the other, y₀, from π_ref`,
  "nash-md": `∇J(θ) = E[ (P(y ≻ y′) − ½ − τ log π_θ(y|x)/π_ref(y|x)) ∇ log π_θ(y|x) ]
y ~ π_θ,  y′ ~ π_θ^(1−β) π_ref^β, token by token`,
  egpo: `L(θ; π′) = E[ (Δ log π_θ/π_ref − (P(y ≻ π′) − P(y′ ≻ π′)) / β)² ]
θ_(t+½) = θ_t − α ∇L(θ_t; π_t),  θ_(t+1) = θ_t − α ∇L(θ_t; π_(t+½))
Δ f = f(y|x) − f(y′|x)`,
  "online-sppo": `L(θ) = E[ (log π_θ(y|x)/π_t(y|x) − η (P(y ≻ π_t) − ½))² ]
y ~ π_t`,
  inpo: `L(θ) = E[ (h(y⁺, y⁻) − 1/(2η))² ],  y⁺, y⁻ ~ π_t
h = Δ log π_θ − τ/η Δ log π_ref − (1 − τ/η) Δ log π_t
Δ f = f(y⁺|x) − f(y⁻|x)`,
  spo: `R_i = mean over j ≠ i of P(y_i ≻ y_j),  y_1, …, y_n ~ π_old
L(θ) of grpo with Â_i = R_i − mean(R)`,
  rrhf: `L(θ) = E[ Σ_{i better than j} max(0, p_j − p_i) ] − λ E[ p_best ]
p = log π_θ(y|x) / |y|`,
  lipo: `L(θ) = −E[ Σ_{i better than j} Δ_ij log σ(β (r_i − r_j)) ]
Δ_ij = |2^ψ_i − 2^ψ_j| · |1/log(1 + τ_i) − 1/log(1 + τ_j)|`,
};
