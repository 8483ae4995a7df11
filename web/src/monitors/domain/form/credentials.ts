import {
  type CredentialDanger,
  credentialDanger,
  DANGEROUS_FIELDS,
} from "../../../../../server/src/monitor/credential-danger.ts";
import { normaliseUrl } from "../../../../../server/src/monitor/url.ts";
import { settableFields } from "../../../../../server/src/wire/domain-input.ts";
import type { DomainDetail } from "../../../api/monitor.ts";
import type { Drafts } from "../../../forms/drafts.ts";
import type { FieldSchema } from "../../../forms/schema.ts";

const decisive = Object.values(DANGEROUS_FIELDS).flat();

/**
 * What the API will ask for anew as things stand in the form (docs/api.md, stored credentials); null when
 * stored credentials are kept, or there are none. `detail` is the domain as it is stored.
 */
export function dangerOf(detail: DomainDetail, drafts: Drafts): CredentialDanger | null {
  if (!hasCredentials(detail)) return null;
  const typed = normaliseUrl(drafts["url"] as string);
  // What is no address yet is refused for that.
  const url = typed.ok ? typed.url : detail.url;
  return credentialDanger(given(detail as object as Drafts), { ...given(drafts), url });
}

/** What is said in the fields that concern stored credentials: empty ones say nothing. */
function given(values: Drafts): Parameters<typeof credentialDanger>[0] {
  const said = decisive.map((field): [string, unknown] => {
    const { [field]: value } = values;
    return [field, typeof value === "string" ? value.trim() : value];
  });
  return Object.fromEntries(said.filter(([, value]) => value !== "" && value !== undefined));
}

const headers = settableFields.headers as FieldSchema;
const authConfig = settableFields.authConfig as FieldSchema;

/** Where stored credentials are asked for again. */
export const credentialFields = [
  "headers",
  ...Object.keys(authConfig.properties ?? {}).map((field) => `authConfig.${field}`),
];

/** The field that was changed and every field that it concerns, by path. */
export const fieldsInDanger = (danger: CredentialDanger): string[] => [
  ...DANGEROUS_FIELDS[danger],
  ...credentialFields,
];

const { "x-kept": hidden = "" } = headers;

const hasCredentials = (detail: DomainDetail): boolean =>
  detail.authType !== "none" || Object.values(detail.headers).includes(hidden);
