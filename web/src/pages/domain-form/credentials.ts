import { settableFields } from "../../../../server/src/wire/legacy/domain-input.ts";
import type { DomainDetail } from "../../api/domain.ts";
import type { Drafts } from "../../forms/drafts.ts";
import type { FieldSchema } from "../../forms/schema.ts";

/** Why stored credentials are not kept, as things stand in the form; null when they are, or there are none. */
export type Danger = "address" | "certificate";

/** What the API will ask for anew (docs/api.md, stored credentials). `detail` is the domain as it is stored. */
export function dangerOf(detail: DomainDetail, drafts: Drafts): Danger | null {
  if (!hasCredentials(detail)) return null;
  const typed = originOf(drafts["url"] as string);
  // What is no address yet is refused for that.
  if (typed !== null && typed !== originOf(detail.url)) return "address";
  return drafts["ignoreCertificate"] === true && !detail.ignoreCertificate ? "certificate" : null;
}

const credentialFields = [
  "headers",
  ...["username", "password", "token", "name", "value"].map((field) => `authConfig.${field}`),
];

const causes: Record<Danger, string> = { address: "url", certificate: "ignoreCertificate" };

/** The sentence at the field that was changed and at every field that it concerns; by path. */
export const warningsOf = (danger: Danger, sentence: string): Record<string, string> =>
  Object.fromEntries([causes[danger], ...credentialFields].map((path) => [path, sentence]));

const { "x-kept": hidden = "" } = settableFields.headers as FieldSchema;

const hasCredentials = ({ authType, headers }: DomainDetail): boolean =>
  authType !== "none" || Object.values(headers).includes(hidden);

/** Scheme, host and port of an address as somebody types it; without a scheme https is meant. */
function originOf(typed: string): string | null {
  const text = typed.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text.replace(/^\/\//, "")}`;
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
  return url.origin;
}
