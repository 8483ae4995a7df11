import type { HttpConfig } from "../check/http-config.ts";
import type { Changed, ConfigChange, Report } from "./config-change.ts";
import { judgeHttpCredentials } from "./http-credentials.ts";
import { changeHttp, type HttpInput } from "./http-settings.ts";

/** What an HTTP check's configuration has beside its schema: a URL as typed, and authentication. */
export const httpRules = {
  change(change: ConfigChange<HttpInput>, report: Report): Changed<HttpConfig> {
    const changed = changeHttp(change, report);
    judgeHttpCredentials(change, changed.config, report);
    return changed;
  },
  host: ({ url }: HttpConfig) => (url === "" ? null : { host: new URL(url).hostname, field: "url" }),
};
