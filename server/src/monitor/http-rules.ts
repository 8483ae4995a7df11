import { type HttpConfig, httpConfigSchema } from "../check/http-config.ts";
import { withoutHidden } from "../secret/config-secrets.ts";
import type { Changed, ConfigChange, Report } from "./config-change.ts";
import { judgeHttpCredentials } from "./http-credentials.ts";
import { changeHttp, type HttpInput, isCredentialHeader } from "./http-settings.ts";
import { HIDDEN } from "./monitor-defaults.ts";

/** What an HTTP check's configuration has beside its schema: a URL as typed, and credentials in headers. */
export const httpRules = {
  change(change: ConfigChange<HttpInput>, report: Report): Changed<HttpConfig> {
    const changed = changeHttp(change, report);
    judgeHttpCredentials(change, changed.config, report);
    return changed;
  },
  /** No authentication secret, no value of a header that carries one. */
  shown(config: HttpConfig): Partial<HttpConfig> {
    const { headers, ...rest } = withoutHidden(httpConfigSchema, config);
    if (!headers) return rest;
    const shown = Object.entries(headers).map(([name, value]) => [
      name,
      isCredentialHeader(name) ? HIDDEN : value,
    ]);
    return { ...rest, headers: Object.fromEntries(shown) };
  },
  host: ({ url }: HttpConfig) => (url === "" ? null : { host: new URL(url).hostname, field: "url" }),
};
