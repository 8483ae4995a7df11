import {
  type CredentialDanger,
  credentialDanger,
} from "../../../../../server/src/monitor/credential-danger.ts";
import { normaliseUrl } from "../../../../../server/src/monitor/url.ts";
import { settableFields } from "../../../../../server/src/wire/domain-input.ts";
import type { DomainDetail } from "../../../api/monitor.ts";
import type { Drafts } from "../../../forms/drafts.ts";
import type { FieldSchema } from "../../../forms/schema.ts";

/**
 * What the API will ask for anew as things stand in the form (docs/api.md, stored credentials); null when
 * stored credentials are kept, or there are none. `detail` is the domain as it is stored.
 */
export function dangerOf(detail: DomainDetail, drafts: Drafts): CredentialDanger | null {
  if (!hasCredentials(detail)) return null;
  const typed = normaliseUrl(drafts["url"] as string);
  // What is no address yet is refused for that.
  const url = typed.ok ? typed.url : detail.url;
  const text = (field: string) => {
    const draft = drafts[field];
    return typeof draft === "string" ? draft.trim() : "";
  };
  return credentialDanger(detail, {
    url,
    ignoreCertificate: drafts["ignoreCertificate"] === true,
    hostHeader: text("hostHeader"),
    serverName: text("serverName"),
  });
}

const headers = settableFields.headers as FieldSchema;
const authConfig = settableFields.authConfig as FieldSchema;

/** Where stored credentials are asked for again. */
export const credentialFields = [
  "headers",
  ...Object.keys(authConfig.properties ?? {}).map((field) => `authConfig.${field}`),
];

const causes: Record<CredentialDanger, readonly string[]> = {
  address: ["url", "hostHeader", "serverName"],
  certificate: ["ignoreCertificate"],
};

/** The field that was changed and every field that it concerns, by path. */
export const fieldsInDanger = (danger: CredentialDanger): string[] => [
  ...causes[danger],
  ...credentialFields,
];

const { "x-kept": hidden = "" } = headers;

const hasCredentials = (detail: DomainDetail): boolean =>
  detail.authType !== "none" || Object.values(detail.headers).includes(hidden);
