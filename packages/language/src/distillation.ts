import type { TeacherComparison } from "@reins/core/losses";
import { add, div, exp, log, logSoftmax, maximum, mul, sub, sum, type Tensor } from "@reins/tensor";

/**
 * The divergence of each row, [rows], from logits [rows, vocabulary]. `js` is the generalised Jensen-Shannon divergence
 * β KL(teacher ‖ m) + (1 − β) KL(student ‖ m) with the mixture m = β teacher + (1 − β) student (Agarwal et al., 2024).
 */
export function teacherDivergence(
  teacherLogits: Tensor,
  studentLogits: Tensor,
  { divergence, mixture, temperature }: TeacherComparison,
): Tensor {
  const scaled = (logits: Tensor) => logSoftmax(div(logits, temperature));
  const [teacher, student] = [scaled(teacherLogits), scaled(studentLogits)];
  if (divergence === "forward-kl") return kl(teacher, student);
  if (divergence === "reverse-kl") return kl(student, teacher);
  const others = sub(1, mixture);
  const middle = logSumExp(add(teacher, log(mixture)), add(student, log(others)));
  return add(mul(kl(teacher, middle), mixture), mul(kl(student, middle), others));
}

/** KL(p ‖ q) of each row, from log-probabilities. */
const kl = (p: Tensor, q: Tensor): Tensor => sum(mul(exp(p), sub(p, q)), -1);

/** log(exp a + exp b), without overflow. */
function logSumExp(a: Tensor, b: Tensor): Tensor {
  const top = maximum(a, b);
  return add(top, log(add(exp(sub(a, top)), exp(sub(b, top)))));
}
