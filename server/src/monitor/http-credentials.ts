import type { HttpConfig } from "../check/http-config.ts";
import { isHarmlessHeader } from "../check/http-request.ts";
import { fact } from "../texts/fact.ts";
import type { ConfigChange, Report } from "./config-change.ts";
import { credentialDanger } from "./credential-danger.ts";
import { keptHeaders } from "./stored-secrets.ts";

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
  if (!stored.url || config.url === "") return;
  const danger = credentialDanger(stored, config);
  if (danger === null) return;
  const { authType = "none", authConfig = {}, headers = {} } = config;
  const given: object = sent.authConfig ?? {};
  if (authType !== "none" && Object.keys(authConfig).some((field) => !(field in given))) {
    report("authConfig", fact("stored.auth", { danger, config: "authConfig", type: "authType" }));
  }
  const kept = (sent.headers ? keptHeaders(sent.headers) : Object.keys(headers)).filter(
    (name) => !isHarmlessHeader(name),
  );
  if (kept.length === 0) return;
  if (!sent.headers) {
    report("headers", fact("stored.headers", { danger, none: "{}" }));
  } else for (const name of kept) report(`headers.${name}`, fact("stored.header", { danger, name }));
}
