import { Type } from "typebox";
import type { ChangeHint } from "../platform/secrets/config-secrets.ts";

const exposes: ChangeHint = { "x-change": "exposes" };

/**
 * `hints`: when a form shows these fields. `serverName` in the domain form may be empty, so http-config.ts
 * has its own.
 */
export const tlsFields = (hints: object = {}) => ({
  ignoreCertificate: Type.Optional(
    Type.Boolean({
      default: false,
      description: "Accept an invalid certificate, which otherwise means down.",
      ...exposes,
      ...hints,
    }),
  ),
  serverName: Type.Optional(
    Type.String({
      format: "server-name",
      maxLength: 255,
      description:
        "The host name sent in the TLS handshake (SNI), which the certificate must be for; not an IP address. Default: the host.",
      examples: ["shop.example.com"],
      ...hints,
    }),
  ),
  legacyRenegotiation: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        "Connect to a server whose TLS does not support secure renegotiation (RFC 5746), which is refused otherwise. An attacker in the network could then inject a request before the check's.",
      ...exposes,
      ...hints,
    }),
  ),
});

export const switchedTlsFields = tlsFields({ "x-when": { tls: [true] } });
