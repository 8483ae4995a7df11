import { DANGEROUS_FIELDS } from "../../../../../server/src/monitor/credential-danger.ts";
import type { DomainDetail } from "../../../api/monitor.ts";
import type { Drafts } from "../../../forms/drafts.ts";

/** An API is asked without following redirects, unless told otherwise: the form shows at once what follows. */
export const settleDomain = (drafts: Drafts, changed: string): Drafts =>
  changed === "isApi" ? { ...drafts, followRedirects: drafts["isApi"] !== true } : drafts;

/**
 * And says it: what the API makes of an untouched one is not what is shown. Headers go along with the address
 * that they are sent to: stored ones would not (docs/api.md, stored credentials).
 */
export function alongsideOf(detail: DomainDetail | null): Record<string, readonly string[]> {
  const hasHeaders = detail !== null && Object.keys(detail.headers).length > 0;
  return {
    isApi: ["followRedirects"],
    ...(hasHeaders &&
      Object.fromEntries(
        Object.values(DANGEROUS_FIELDS).flatMap((fields) => fields.map((field) => [field, ["headers"]])),
      )),
  };
}
