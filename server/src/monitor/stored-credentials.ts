import { isHarmlessHeader } from "../check/http-request.ts";
import { type CredentialDanger, credentialDanger } from "./credential-danger.ts";
import { isCredentialHeader, type Report } from "./domain-check.ts";
import { HIDDEN } from "./domain-defaults.ts";
import type { DomainInput, DomainSettings } from "./settings.ts";

/**
 * Whoever may change a domain must not be able to read its credentials that way. If a change would send them to
 * somebody else, or let somebody on the way read them, they have to be sent again in the same request; headers that
 * any host is sent after a redirect need not be. `settings` is `base` with `input` applied.
 */
export function judgeStoredCredentials(
  base: DomainSettings,
  input: DomainInput,
  settings: DomainSettings,
  report: Report,
): void {
  const danger = dangerOf(base, settings);
  if (danger === null) return;
  const { authType = "none", authConfig = {}, headers = {} } = settings.check;
  const given: object = input.check?.authConfig ?? {};
  if (authType !== "none" && Object.keys(authConfig).some((field) => !(field in given))) {
    report("authConfig", `${danger} Send all of authConfig again in this request, or set authType to none.`);
  }
  const sent = input.check?.headers;
  const isKept = (name: string) => !sent || (sent[name] === HIDDEN && isCredentialHeader(name));
  const kept = Object.keys(headers).filter((name) => !isHarmlessHeader(name) && isKept(name));
  if (kept.length === 0) return;
  if (!sent) report("headers", `${danger} Send the headers again in this request, or {} to remove them.`);
  else for (const name of kept) report(`headers.${name}`, `${danger} Send the value of ${name} again.`);
}

const SENTENCES: Record<CredentialDanger, string> = {
  address: "Stored credentials are not sent to a different scheme, host or port.",
  certificate: "Without a certificate check, others could read the stored credentials in transit.",
};

/** What would become of stored credentials, as a sentence; null when nothing new would. */
function dangerOf(base: DomainSettings, settings: DomainSettings): string | null {
  if (base.url === "") return null;
  const destination = ({ url, check }: DomainSettings) => ({
    url,
    ignoreCertificate: check.ignoreCertificate ?? false,
  });
  const danger = credentialDanger(destination(base), destination(settings));
  return danger && SENTENCES[danger];
}
