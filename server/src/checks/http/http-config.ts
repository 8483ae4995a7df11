import { type Static, Type } from "typebox";
import { type ChangeHint, harmless, type SecretHint } from "../../platform/secrets/config-secrets.ts";
import { tlsFields } from "../tls-config.ts";
import { assertionSchema } from "./http-assertion-config.ts";

/** How much of an answer is read by default, and at most, which is what assertions on the body see. */
export const DEFAULT_BODY_BYTES = 65_536;
export const MAX_BODY_BYTES = 1_048_576;

/** How many redirects are followed by default, and at most. */
export const DEFAULT_REDIRECTS = 10;
export const MAX_REDIRECTS = 20;

/** Headers that belong to the connection or say where the body ends; a check sets them itself. */
const RESERVED_HEADERS = [
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "keep-alive",
  "te",
  "trailer",
  "upgrade",
  "expect",
  "http2-settings",
  "proxy-.*",
];

/** A Host header: a name or an address, and a port where it has one. */
export const HOST_HEADER = { maxLength: 262, examples: ["shop.example.com"] };

/** The headers that a server of another origin is still sent. */
export const HARMLESS_HEADERS: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "content-type",
  "user-agent",
]);

/** JSON Schema patterns know no flags, hence `[Hh][Oo]…`. */
const anyCase = (text: string) => text.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);

/** A header name that may be given: a token (RFC 9110 §5.6.2), none of the reserved ones. */
export const HEADER_NAME_PATTERN = `^(?!(?:${RESERVED_HEADERS.map(anyCase).join("|")})$)[!#$%&'*+.^_\`|~0-9A-Za-z-]{1,128}$`;

/** Printable ASCII, Latin-1 and tabs: no CR, LF or NUL, so that no header can smuggle another one. */
export const HEADER_VALUE_PATTERN = "^[\\t\\x20-\\x7e\\xa0-\\xff]*$";

const headerValue = (description: string, hints: object = {}) =>
  Type.String({ pattern: HEADER_VALUE_PATTERN, maxLength: 8192, description, ...hints });

/** Hints to forms: what is typed is hidden, and the field belongs to one kind of authentication. */
const secret = { format: "password" };
/** People put tokens into headers and bodies, too. */
const changers: SecretHint = { "x-secret": "changers" };
const headerRecord: SecretHint = { "x-secret": "headers" };
const hidden: SecretHint = { "x-secret": "hidden" };
const when = (authType: string) => ({ "x-when": { authType: [authType] } });

const authConfigSchema = Type.Object(
  {
    username: Type.Optional(Type.String({ maxLength: 1024, description: "For `basic`.", ...when("basic") })),
    password: Type.Optional(
      Type.String({ maxLength: 1024, description: "For `basic`.", ...secret, ...when("basic") }),
    ),
    token: Type.Optional(
      Type.String({
        pattern: "^[\\x21-\\x7e]*$",
        maxLength: 8192,
        description: "For `bearer`: sent as `Authorization: Bearer …`.",
        ...secret,
        ...when("bearer"),
      }),
    ),
    name: Type.Optional(
      Type.String({
        pattern: HEADER_NAME_PATTERN,
        description: "For `header`: the header's name.",
        ...when("header"),
      }),
    ),
    value: Type.Optional(headerValue("For `header`: the header's value.", { ...secret, ...when("header") })),
  },
  { additionalProperties: false, description: "The secret that `authType` needs.", ...hidden },
);

const ofTls = tlsFields();
/** Pages of one server get the same credentials. */
const byOrigin: ChangeHint = { "x-change": "origin" };

export const httpConfigSchema = Type.Object(
  {
    url: Type.String({
      maxLength: 2048,
      pattern: "^[Hh][Tt][Tt][Pp][Ss]?://",
      description: "http or https.",
      ...byOrigin,
    }),
    isApi: Type.Optional(
      Type.Boolean({
        default: false,
        description: "Checked as an API: redirects are not followed.",
        ...harmless,
      }),
    ),
    authType: Type.Optional(
      Type.Enum(["none", "basic", "bearer", "header"], {
        default: "none",
        description: "How the request authenticates itself.",
        ...harmless,
      }),
    ),
    authConfig: Type.Optional(authConfigSchema),
    method: Type.Optional(
      Type.Enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"], {
        default: "GET",
        description: "The request's method.",
        ...harmless,
      }),
    ),
    headers: Type.Optional(
      Type.Record(Type.String({ pattern: HEADER_NAME_PATTERN }), headerValue("The header's value."), {
        additionalProperties: false,
        maxProperties: 50,
        ...headerRecord,
        description: `Sent with the request. Host (see hostHeader), Content-Length and headers of the connection itself cannot be set. After a redirect to another origin only these are sent: ${[...HARMLESS_HEADERS].join(", ")}.`,
      }),
    ),
    hostHeader: Type.Optional(
      Type.String({
        ...HOST_HEADER,
        description:
          "The Host header, where one of several servers behind a name is to be checked: the URL says where the server is. A redirect to that name stays with this server. Empty: the URL's host.",
      }),
    ),
    serverName: Type.Optional(
      Type.String({
        maxLength: 255,
        description:
          "The host name sent in the TLS handshake (SNI), which the certificate must be for; not an IP address. Empty: the host of `hostHeader`, or of the URL.",
        examples: ["shop.example.com"],
      }),
    ),
    body: Type.Optional(
      Type.String({
        maxLength: 65_536,
        description: "At most 65,536 characters.",
        ...changers,
        ...harmless,
      }),
    ),
    assertions: Type.Optional(
      Type.Array(assertionSchema, {
        maxItems: 20,
        description: "All must hold. Without one on the status code, 200-399 is expected.",
        ...harmless,
      }),
    ),
    bodyBytes: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_BODY_BYTES,
        default: DEFAULT_BODY_BYTES,
        description:
          "How many bytes of the body are read. A response that breaks off within this limit is a failure; a longer one is cut off and passes. 0: only the headers are read. Assertions on the body always read up to 1 MiB.",
        ...harmless,
      }),
    ),
    followRedirects: Type.Optional(
      Type.Boolean({ description: "Follow redirects; default: unless `isApi`.", ...harmless }),
    ),
    maxRedirects: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_REDIRECTS,
        default: DEFAULT_REDIRECTS,
        description:
          "How many redirects are followed; one more is a failure. 0: none is followed, and the redirect itself is evaluated.",
        ...harmless,
      }),
    ),
    requireTls: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "Down when the answer comes over http, or a redirect leads from https to http. Such a redirect is not followed then.",
        ...harmless,
      }),
    ),
    ignoreCertificate: ofTls.ignoreCertificate,
    legacyRenegotiation: ofTls.legacyRenegotiation,
    certificateExpiryDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 365,
        default: 14,
        description:
          "Days before its end at which a certificate counts as expiring soon and people are notified of it.",
        ...harmless,
      }),
    ),
  },
  {
    additionalProperties: false,
    title: "HTTP",
    description:
      "Requests a URL over a new connection and evaluates the answer: by its status code, or by assertions on code, header, body and time.",
  },
);

export type HttpConfig = Static<typeof httpConfigSchema>;
export type AuthConfig = Static<typeof authConfigSchema>;
