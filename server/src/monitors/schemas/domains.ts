import { type Static, Type } from "typebox";
import type { HttpConfig } from "../../checks/http/http-config.ts";
import { fromOutside, nullable, Uuid } from "../../platform/operations/field.ts";
import type { ShownMonitor } from "../monitor.ts";
import type { MonitorDetail } from "../monitor-detail.ts";
import { checkFields, settableFields } from "./domain-input.ts";
import { detailFields, monitorFilters, projectMonitorDetail, SortQuery } from "./monitor-detail.ts";
import { monitorFields, projectMonitor } from "./monitors.ts";

/** GET /api/domains. */
export const DomainListQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: "Page, from 1." }),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 20, description: "Domains a page." }),
  ...monitorFilters,
  url: Type.Optional(
    Type.String({
      format: "monitor-url",
      maxLength: 2048,
      description: "Only domains that watch this very address, in whatever way it is written.",
      examples: ["example.com"],
    }),
  ),
  sort: SortQuery,
});

const { id, uuid, ...sameFields } = monitorFields;

/** What list and detail have in common. */
export const domainFields = {
  id,
  uuid,
  url: Type.String({
    description: "As typed; the host is checked in its punycode form.",
    examples: ["https://example.com"],
  }),
  ...sameFields,
};

export const DomainListItem = Type.Object(domainFields, { title: "Domain" });

/** A domain as lists show it. `now` in milliseconds. */
export const projectDomain = (domain: ShownMonitor, now: number): Static<typeof DomainListItem> => ({
  ...projectMonitor(domain, now),
  url: domain.displayTarget,
});

/** DELETE of a domain. */
export const DeletedDomain = Type.Object({ id: Type.Integer(), uuid: Uuid }, { title: "DeletedDomain" });

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

/** Every setting of the check that may be shown, with its value where none was set. */
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

/** GET /api/domains/fetch-title. */
export const TitleQuery = Type.Object({
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: "http(s) address; a bare host is taken as https.",
    examples: ["example.com"],
  }),
});

export const TitleLookup = Type.Object(
  {
    title: fromOutside(
      Type.String({
        description: "The page's title, or its host name when it has none.",
        examples: ["Example Domain"],
      }),
    ),
    url: Type.String({
      description: "Where the page was found, after redirects.",
      examples: ["https://example.com/"],
    }),
  },
  { title: "TitleLookup" },
);

/** GET /api/domains/{id}/icon. */
export const DomainIcon = Type.Object(
  {
    iconUrl: Type.String({
      description:
        "Full URL of the picture on this server; a site without an icon gets one with its first letter.",
      examples: ["https://vedette.example/icons/Zk3nq0W0m7r1Yy8t5fVdXw2s9uJc4LhGpQeRaTbIoMk?v=1760000000000"],
    }),
  },
  { title: "DomainIcon" },
);
