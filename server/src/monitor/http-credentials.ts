import type { HttpConfig } from "../check/http-config.ts";
import { isHarmlessHeader } from "../check/http-request.ts";
import type { ConfigChange, Report } from "./config-change.ts";
import { credentialDanger, DANGERS } from "./credential-danger.ts";
import { isCredentialHeader } from "./http-settings.ts";
import { HIDDEN } from "./monitor-defaults.ts";

/**
 * Whoever may change a monitor must not be able to read its credentials that way. If a change would send them to
 * somebody else, or let somebody on the way read them, they have to be sent again in the same request; headers that
 * any host is sent after a redirect need not be. `config` is what the change led to.
 */
export function judgeHttpCredentials(
  { stored, sent }: ConfigChange<HttpConfig>,
  config: HttpConfig,
  report: Report,
): void {
  const danger = dangerOf(stored, config);
  if (danger === null) return;
  const { authType = "none", authConfig = {}, headers = {} } = config;
  const given: object = sent.authConfig ?? {};
  if (authType !== "none" && Object.keys(authConfig).some((field) => !(field in given))) {
    report("authConfig", `${danger} Send all of authConfig again in this request, or set authType to none.`);
  }
  const isKept = (name: string) =>
    !sent.headers || (sent.headers[name] === HIDDEN && isCredentialHeader(name));
  const kept = Object.keys(headers).filter((name) => !isHarmlessHeader(name) && isKept(name));
  if (kept.length === 0) return;
  if (!sent.headers) {
    report("headers", `${danger} Send the headers again in this request, or {} to remove them.`);
  } else for (const name of kept) report(`headers.${name}`, `${danger} Send the value of ${name} again.`);
}

/** What would become of stored credentials, as a sentence; null when nothing new would. */
function dangerOf(stored: Partial<HttpConfig>, config: HttpConfig): string | null {
  if (!stored.url || config.url === "") return null;
  const destination = ({ url = "", ignoreCertificate = false }: Partial<HttpConfig>) => ({
    url,
    ignoreCertificate,
  });
  const danger = credentialDanger(destination(stored), destination(config));
  return danger && DANGERS[danger];
}
