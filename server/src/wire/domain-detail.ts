import { type Static, Type } from "typebox";
import type { HttpConfig } from "../check/http-config.ts";
import type { MonitorDetail } from "../monitor/monitor-detail.ts";
import { checkFields, settableFields } from "./domain-input.ts";
import { domainFields, projectDomain } from "./domains.ts";
import { nullable } from "./field.ts";
import { detailFields, projectMonitorDetail } from "./monitor-detail.ts";

const { authConfig: _, tags: __, parents: ___, ...shownSettings } = settableFields;
const { phases, certificate, ...ofLastCheck } = detailFields;

/** What a domain's detail shows beside what its list does. */
export const domainDetailFields = {
  ...shownSettings,
  ...ofLastCheck,
  protocol: nullable(Type.String(), "e.g. `http/1.1`, `h2`."),
  phases,
  certificate,
};

export const DomainDetail = Type.Object(
  { ...domainFields, ...domainDetailFields },
  { title: "DomainDetail" },
);

/** A domain in full. `now` in milliseconds. */
export const projectDomainDetail = (detail: MonitorDetail, now: number): Static<typeof DomainDetail> => ({
  ...projectDomain(detail, now),
  ...projectMonitorDetail(detail, now),
  ...projectCheck(detail.settings.config as HttpConfig),
  protocol: detail.lastResult.details?.protocol ?? null,
});

/** How an unset setting is shown, by its type; sent back, it is unset again. */
const EMPTY: Readonly<Record<string, unknown>> = { object: {}, array: [], string: "" };

/** Every setting of the check that may be shown, with its value where nobody has set one. */
function projectCheck(check: HttpConfig) {
  const shown: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(checkFields)) {
    const { writeOnly, type = "", "x-usual": usual } = schema as Hints;
    if (!writeOnly) shown[name] = check[name as keyof HttpConfig] ?? usual ?? EMPTY[type];
  }
  shown.followRedirects = check.followRedirects ?? !check.isApi;
  return shown as Pick<Static<typeof DomainDetail>, Exclude<keyof HttpConfig, "authConfig" | "url">>;
}

interface Hints {
  type?: string;
  writeOnly?: boolean;
  "x-usual"?: unknown;
}
