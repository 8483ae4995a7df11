import type { Assertion } from "../check/assertion-config.ts";
import type { AuthConfig, HttpConfig } from "../check/http-config.ts";
import { HIDDEN } from "./domain-defaults.ts";

/** How a domain is checked: an HTTP check's config without the URL, which belongs to the domain itself. */
export type DomainCheck = Omit<HttpConfig, "url">;

type AuthType = NonNullable<DomainCheck["authType"]>;

/** Notes a sentence about a field (legacy names, nested as `authConfig.token`). */
export type Report = (field: string, sentence: string) => void;

/** Header names whose value is a credential, by themselves or by what they are called. */
const CREDENTIAL_HEADER = /auth|cookie|token|secret|key|passw|credential|session|signature/i;

/** Whether a request header's value must not be shown to anybody. */
export const isCredentialHeader = (name: string): boolean => CREDENTIAL_HEADER.test(name);

/** `base` with what was sent applied. What belongs together (authentication) is judged together. */
export function applyCheck(base: DomainCheck, input: DomainCheck, report: Report): DomainCheck {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const { authConfig: _, ...check }: DomainCheck = { ...base, ...given };
  if (input.headers) check.headers = keepHidden(input.headers, base.headers ?? {}, report);
  if (check.body === "") delete check.body;
  const authType = check.authType ?? "none";
  const authConfig = applyAuth(base, input, authType, report);
  const byHeader = Object.keys(check.headers ?? {}).some((name) => name.toLowerCase() === "authorization");
  if (byHeader && (authType === "basic" || authType === "bearer")) {
    report("headers", `The headers must not hold Authorization beside ${authType} authentication.`);
  }
  input.assertions?.forEach((assertion, at) => void judgeAssertion(assertion, `assertions.${at}`, report));
  return { ...check, ...(authConfig && { authConfig }) };
}

function keepHidden(
  sent: Record<string, string>,
  stored: Record<string, string>,
  report: Report,
): Record<string, string> {
  const known = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]));
  const seen = new Set<string>();
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const lower = name.toLowerCase();
      if (seen.has(lower)) report(`headers.${name}`, `The header ${name} is given twice.`);
      seen.add(lower);
      if (value !== HIDDEN || !isCredentialHeader(name)) return [name, value];
      const kept = known.get(lower);
      if (kept === undefined) report(`headers.${name}`, `The header ${name} has no stored value to keep.`);
      return [name, kept ?? ""];
    }),
  );
}

const NEEDED: Record<AuthType, readonly (keyof AuthConfig)[]> = {
  none: [],
  basic: ["username", "password"],
  bearer: ["token"],
  header: ["name", "value"],
};

function applyAuth(
  base: DomainCheck,
  input: DomainCheck,
  authType: AuthType,
  report: Report,
): AuthConfig | null {
  if (authType === "none") {
    if (input.authConfig && Object.keys(input.authConfig).length > 0) {
      report("authConfig", "The authentication's secret needs a type: basic, bearer or header.");
    }
    return null;
  }
  // A secret is never shown, so what is not sent again stays as it is while the type does.
  const kept = authType === base.authType ? base.authConfig : {};
  const merged = { ...kept, ...input.authConfig };
  for (const field of NEEDED[authType]) {
    const mayBeEmpty = field === "password";
    if (merged[field] === undefined || (merged[field] === "" && !mayBeEmpty)) {
      report(`authConfig.${field}`, `The ${field} is required for ${authType} authentication.`);
    }
  }
  if (authType === "basic" && merged.username?.includes(":")) {
    report("authConfig.username", "The username must not contain a colon (RFC 7617).");
  }
  return Object.fromEntries(NEEDED[authType].map((field) => [field, merged[field]]));
}

/** What an assertion's own schema cannot say. */
function judgeAssertion(assertion: Assertion, field: string, report: Report): void {
  if (assertion.type === "response_time") {
    const { degradedAboveMs, downAboveMs } = assertion;
    if (degradedAboveMs === undefined && downAboveMs === undefined) {
      report(field, "A response time assertion needs at least one of its two limits.");
    }
    return;
  }
  if (assertion.type !== "json" && assertion.type !== "header") return;
  const { operator, value } = assertion;
  if (operator === "exists") return;
  if (value === undefined) report(`${field}.value`, `The value is required for the operator ${operator}.`);
  else if (/^[gl]te?$/.test(operator) && typeof value !== "number") {
    report(`${field}.value`, `The value must be a number for the operator ${operator}.`);
  }
}
