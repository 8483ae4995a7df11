import { isHarmlessHeader } from "../check/http-request.ts";
import { isCredentialHeader, type Report } from "./domain-check.ts";
import { HIDDEN } from "./domain-defaults.ts";
import type { DomainInput, DomainSettings } from "./domain-settings.ts";

/**
 * Whoever may change a domain must not read its credentials by it. Where a change would send them to
 * somebody else, or let somebody on the way read them, they have to be given anew in the same request;
 * what every host may be told after a redirect need not be. `settings` is `base` with `input` applied.
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
    report(
      "authConfig",
      `${danger} Give all of authConfig anew in the same request, or set authType to none.`,
    );
  }
  const sent = input.check?.headers;
  const isKept = (name: string) => !sent || (sent[name] === HIDDEN && isCredentialHeader(name));
  const kept = Object.keys(headers).filter((name) => !isHarmlessHeader(name) && isKept(name));
  if (kept.length === 0) return;
  if (!sent) report("headers", `${danger} Give the headers anew in the same request, or {} to remove them.`);
  else for (const name of kept) report(`headers.${name}`, `${danger} Give the value of ${name} anew.`);
}

/** What would become of stored credentials, as a sentence; null when nothing new would. */
function dangerOf(base: DomainSettings, settings: DomainSettings): string | null {
  if (base.url === "") return null;
  if (new URL(base.url).origin !== new URL(settings.url).origin) {
    return "The url leads to another scheme, host or port, to which stored credentials are not sent.";
  }
  if (settings.check.ignoreCertificate && !base.check.ignoreCertificate) {
    return "Without a check of the certificate, others could read the stored credentials on the way.";
  }
  return null;
}
