"""Losses that TRL does not have, in float64, from the inputs of fixtures/rl/preferences.json."""

import json
import sys

import torch
import torch.nn.functional as F

inputs = json.load(open(sys.argv[1]))
rows, tokens = inputs["rows"], inputs["tokens"]
mask = (torch.arange(tokens)[None] < torch.tensor(inputs["lengths"])[:, None]).double()
reference = torch.tensor(inputs["reference"]).double().view(rows, tokens)


def kto(log_prob, beta=0.3, desirable=1.0, undesirable=1.5):
    ratio = ((log_prob - reference) * mask).sum(1)
    own, mismatched = ratio[:4], ratio[4:]
    z = mismatched.mean().clamp(min=0).detach()
    good = torch.tensor([True, False, False, True])
    return torch.where(
        good,
        desirable * (1 - torch.sigmoid(beta * (own - z))),
        undesirable * (1 - torch.sigmoid(beta * (z - own))),
    ).mean()


# Two lists of four: rows 0, 1, 2, 3 and 4, 5, 6, 7.
scores = torch.tensor([[3.0, 1.0, 2.0, 0.0], [0.0, 2.0, 2.0, 1.0]]).double()


def rrhf(log_prob, likelihood=1.0):
    p = ((log_prob * mask).sum(1) / mask.sum(1)).view(2, 4)
    total = 0
    for one, s in zip(p, scores):
        for i in range(4):
            for j in range(4):
                if s[i] > s[j]:
                    total = total + torch.relu(one[j] - one[i])
        best = one[s == s.max()].mean()
        total = total - likelihood * best
    return total / 2


def lipo(log_prob, beta=0.3):
    s = (beta * ((log_prob - reference) * mask).sum(1)).view(2, 4)
    total = 0
    for one, psi in zip(s, scores):
        order = sorted(range(4), key=lambda i: -one[i].item())
        rank = {i: place + 1 for place, i in enumerate(order)}
        for i in range(4):
            for j in range(4):
                if psi[i] > psi[j]:
                    gain = abs(2.0 ** psi[i] - 2.0 ** psi[j])
                    discount = [1 / torch.log(torch.tensor(1.0 + rank[k]).double()) for k in (i, j)]
                    total = total - gain * abs(discount[0] - discount[1]) * F.logsigmoid(one[i] - one[j])
    return total / 2


def steps(log_prob, beta=0.3):
    # Of each completion, tokens 1 and 2 are the step.
    step = mask * torch.tensor([0, 1, 1, 0, 0, 0, 0]).double()
    ratio = ((log_prob - reference) * step).sum(1)
    return -F.logsigmoid(beta * (ratio[:4] - ratio[4:])).mean()


def xpo(log_prob, beta=0.3, alpha=0.05):
    total = (log_prob * mask).sum(1)
    ratio = ((log_prob - reference) * mask).sum(1)
    explored = torch.where(torch.tensor([True, False, False, True]), total[:4], total[4:])
    return (alpha * explored - F.logsigmoid(beta * (ratio[:4] - ratio[4:]))).mean()


def sampled():
    return torch.tensor([[-0.1 * (1 + (3 * r + t) % 5) for t in range(tokens)] for r in range(rows)]).double()


def inpo(log_prob, step=0.5, anchor=0.1):
    def gap(of):
        total = (of * mask).sum(1)
        return total[:4] - total[4:]

    share = anchor / step
    h = gap(log_prob) - share * gap(reference) - (1 - share) * gap(sampled())
    return ((h - 1 / (2 * step)) ** 2).mean()


wins = torch.tensor([0.9, 0.5, 0.25, 0.7, 0.1, 0.5, 0.75, 0.3]).double()


def nash_md(log_prob, anchor=0.2):
    total = (log_prob * mask).sum(1)
    ratio = ((log_prob - reference) * mask).sum(1).detach()
    return -((wins - 0.5 - anchor * ratio) * total).mean()


def egpo(log_prob, beta=0.4):
    ratio = ((log_prob - reference) * mask).sum(1)
    return ((ratio[:4] - ratio[4:] - (wins[:4] - wins[4:]) / beta) ** 2).mean()


def online_sppo(log_prob, step=3.0):
    ratio = ((log_prob - sampled()) * mask).sum(1)
    return ((ratio - step * (wins - 0.5)) ** 2).mean()


out = {}
for loss in (kto, rrhf, lipo, steps, xpo, inpo, nash_md, egpo, online_sppo):
    log_prob = torch.tensor(inputs["logProb"]).double().view(rows, tokens).requires_grad_()
    value = loss(log_prob)
    value.backward()
    out[loss.__name__] = {"value": value.item(), "gradient": log_prob.grad.flatten().tolist()}
print(json.dumps(out))
