import { type Fact, fact } from "../texts/fact.ts";
import { normaliseUrl } from "./url.ts";

/** What is wrong with an address that is used as it was given; null: nothing. */
export function webUrlProblem(text: string): Fact | null {
  const normalised = normaliseUrl(text);
  if (!normalised.ok) return normalised.problem;
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? null : fact("url.scheme");
}
