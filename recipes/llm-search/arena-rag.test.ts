import { expect, it } from "vitest";
import { calls, outcome } from "../shared/testing-tools.ts";
import { adaptive, relevance } from "./arena-rag.parts.ts";

const both = calls("f(h)=i", "g(i)=j");

it("evidence is relevant if it is exactly what the answer needs", () => {
  expect(relevance(outcome(both))).toBe(1);
  expect(relevance(outcome(calls("f(h)", "f(h)=i", "g(i)=j")))).toBe(1);
  expect(relevance(outcome(calls("f(h)=i")))).toBe(0.5);
  expect(relevance(outcome(calls("f(h)=i", "g(i)=j", "f(a)=b")))).toBe(0.5);
  expect(relevance(outcome(calls("g(h)=a")))).toBe(0);
  expect(relevance(outcome({ known: true }))).toBe(1);
  expect(relevance(outcome({ known: true, ...calls("f(a)=j") }))).toBe(0);
});

it("ARENA pays a bonus for an answer with format, accuracy and relevance", () => {
  const reward = adaptive(10);
  expect(reward(outcome({ right: true, ...both }))).toBe(13);
  expect(reward(outcome({ right: true, ...calls("f(h)=i") }))).toBe(2.5);
  expect(reward(outcome({ wellFormed: false, ...both }))).toBe(1);
  expect(adaptive(0)(outcome({ right: true, ...both }))).toBe(3);
});
