import type { TSchema } from "typebox";
import { HARMLESS_HEADERS } from "../checks/http/http-config.ts";
import { msg } from "../platform/i18n/message.ts";
import { HIDDEN } from "../platform/monitor-defaults.ts";
import { forReaders, headerFields, withoutHidden } from "../platform/secrets/config-secrets.ts";
import type { Report } from "./announce-change.ts";

type Headers = Readonly<Record<string, string>>;

/** Header names whose value is a credential, by themselves or by what they are called. */
const CREDENTIAL_NAME =
  /auth|cookie|token|secret|key|pass|pwd|credential|session|signature|jwt|bearer|private|[cx]srf/i;
/** What sets off a credential, whatever the header is called (RFC 9110 §11.4, JSON Web Tokens). */
const CREDENTIAL_VALUE = /^(?:basic|bearer|digest|negotiate|token|apikey) +\S|^eyJ[\w-]+\.[\w-]+\./i;

/** What may leave the verbs of a check's configuration: less of it for those who may not change the monitor. */
export function shownConfig(schema: TSchema, config: object, mayChange: boolean): Record<string, unknown> {
  const open = withoutHidden(schema, config);
  const shown: Record<string, unknown> = { ...(mayChange ? open : forReaders(schema, open)) };
  for (const field of headerFields(schema)) {
    if (shown[field]) shown[field] = shownHeaders(shown[field] as Headers, mayChange);
  }
  return shown;
}

/** Whether a request header's value must not be shown to anybody. */
export const isCredentialHeader = (name: string, value = ""): boolean =>
  CREDENTIAL_NAME.test(name) || CREDENTIAL_VALUE.test(value);

/** Credentials masked; for those who may not change the monitor, every value that may be one. */
const shownHeaders = (headers: Headers, mayChange: boolean): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const isOpen = mayChange ? !isCredentialHeader(name, value) : HARMLESS_HEADERS.has(name.toLowerCase());
      return [name, isOpen ? value : HIDDEN];
    }),
  );

/** Headers as they were sent, with the stored value of each that was sent back masked. `field`: whose problems are reported. */
export function unmaskedHeaders(
  { sent, stored, field }: { sent: Headers; stored: Headers; field: string },
  report: Report,
): Record<string, string> {
  const known = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]));
  const seen = new Set<string>();
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const lower = name.toLowerCase();
      if (seen.has(lower)) report(`${field}.${name}`, msg("header.twice", { name }));
      seen.add(lower);
      if (value !== HIDDEN) return [name, value];
      const storedValue = known.get(lower);
      if (storedValue === undefined) report(`${field}.${name}`, msg("header.no_stored_value", { name }));
      return [name, storedValue ?? ""];
    }),
  );
}

/** Names of the headers whose stored values a change keeps without knowing them. */
export const maskedHeaders = (sent: Headers): string[] =>
  Object.keys(sent).filter((name) => sent[name] === HIDDEN);
