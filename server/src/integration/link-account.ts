import { hostProblem } from "../check/host-problem.ts";
import type { Context } from "../context.ts";
import { type FieldErrors, invalidInput } from "../errors.ts";
import { configProblems } from "../monitor/config-problems.ts";
import { decisiveChanges, hiddenFields } from "../secret/config-secrets.ts";
import { fact } from "../texts/fact.ts";
import { accessWith } from "./access.ts";
import type { IntegrationKind } from "./kind.ts";
import { refusalOf } from "./provider-error.ts";

type Needed = Pick<Context, "config" | "network" | "clock">;

/**
 * Asks the other side whether it takes a configuration, and answers what it calls the account. Throws 422 of the fields that
 * are wrong, 502 where it does not answer or not well.
 */
export async function verifyAccount(ctx: Needed, kind: IntegrationKind, config: object): Promise<string> {
  const problems = problemsOf(ctx, kind, config);
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
  try {
    return await kind.verify(accessWith(ctx, kind, config as never));
  } catch (error) {
    throw refusalOf(error, kind.secretField);
  }
}

function problemsOf({ network }: Needed, { configSchema }: IntegrationKind, config: object): FieldErrors {
  const found = configProblems(configSchema, config, "");
  const problems = Object.fromEntries(
    Object.entries(found).map(([field, own]) => [field.replace(/^\./, ""), own] as const),
  );
  const url = URL.parse(String((config as { url?: string }).url ?? ""));
  const problem = url && hostProblem(url.hostname, network.policy);
  if (problem) (problems["url"] ??= []).push(problem);
  return problems;
}

/** The address as requests begin with it: a slash at its end leads nowhere else. */
const addressed = (config: object): object => {
  const { url } = config as { url?: string };
  const parsed = url === undefined ? null : URL.parse(url);
  return parsed ? { ...config, url: parsed.href.replace(/\/+$/, "") } : config;
};

/**
 * A configuration with what is sent of it. Whoever may change an account must not have a stored credential sent somewhere
 * else: where the rest changes, it has to be given again. Throws 422.
 */
export function changedAccount(
  { configSchema }: IntegrationKind,
  stored: object,
  sent: Readonly<Record<string, unknown>>,
): object {
  const config = { ...stored, ...sent };
  const changed = decisiveChanges(configSchema, addressed(stored), addressed(config)).join(", ");
  const reused = Object.keys(hiddenFields(configSchema, stored)).filter((name) => !(name in sent));
  if (changed === "" || reused.length === 0) return config;
  throw invalidInput(
    Object.fromEntries(reused.map((secret) => [secret, [fact("stored.changed", { secret, changed })]])),
  );
}
