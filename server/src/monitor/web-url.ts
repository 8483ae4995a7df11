import { type Fact, fact } from "../texts/fact.ts";
import { normaliseUrl } from "./url.ts";

/** What is wrong with an address that is used as it was given; null: nothing. */
export function webUrlProblem(text: string): Fact | null {
  const normalised = normaliseUrl(text);
  if (!normalised.ok) {
    const { problem } = normalised;
    // Checks have a setting for them, which nothing else has.
    return problem.code === "url.credentials" ? fact("url.no_credentials") : problem;
  }
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? null : fact("url.scheme");
}

/** What is wrong with an address that paths are added to: a query or a fragment would swallow them; null: nothing. */
export function baseUrlProblem(text: string): Fact | null {
  const problem = webUrlProblem(text);
  if (problem !== null) return problem;
  return /[?#]/.test(text) ? fact("url.no_query") : null;
}
