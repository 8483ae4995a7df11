import { type Static, Type } from "typebox";
import { msg } from "../platform/i18n/message.ts";
import { whichOf } from "./certificate.ts";
import type { CheckOutcome, ProbedKind } from "./check.ts";
import { startFtpTls } from "./ftp.ts";
import { startImapTls } from "./imap.ts";
import { converse, hostAndPort, hostField, peerOf, type Talk, usualPort } from "./peer.ts";
import { startPop3Tls } from "./pop3.ts";
import { startPostgresTls } from "./postgres.ts";
import { startSmtpTls } from "./smtp.ts";
import { tlsFields } from "./tls-config.ts";

const PORT = 443;
const DAY_MS = 86_400_000;
const PHASES_OF_TLS = ["dns", "connect", "tls"] as const;

/** How TLS is agreed on where it does not come first. */
const STARTTLS = {
  smtp: startSmtpTls,
  imap: startImapTls,
  pop3: startPop3Tls,
  ftp: startFtpTls,
  postgres: startPostgresTls,
} satisfies Record<string, Talk>;

const ofTls = tlsFields();

const tlsConfigSchema = Type.Object(
  {
    host: hostField,
    port: usualPort(PORT),
    starttls: Type.Optional(
      Type.Enum(["none", ...(Object.keys(STARTTLS) as (keyof typeof STARTTLS)[])], {
        default: "none",
        description: "The protocol in which TLS is requested; `none`: TLS from the first byte.",
      }),
    ),
    serverName: ofTls.serverName,
    legacyRenegotiation: ofTls.legacyRenegotiation,
    minDays: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 365,
        default: 0,
        description: "Down when the certificate expires in fewer days than this.",
      }),
    ),
  },
  {
    additionalProperties: false,
    title: "TLS certificate",
    description:
      "Performs a TLS handshake and checks the certificate: its name, its chain, and how long it remains valid.",
  },
);

type TlsConfig = Static<typeof tlsConfigSchema>;

export const checkTls: ProbedKind<TlsConfig, typeof PHASES_OF_TLS> = {
  type: "tls",
  phases: PHASES_OF_TLS,
  configSchema: tlsConfigSchema,
  target: ({ host, port = PORT }) => hostAndPort({ host, port }),
  run: async ({ port = PORT, starttls = "none", minDays = 0, ...config }, environment) => {
    const peer = peerOf({ ...config, port, tls: starttls === "none" });
    const talk = starttls === "none" ? async () => {} : STARTTLS[starttls];
    const outcome = lasting(await converse(peer, environment, talk), minDays);
    // What was said on the way to TLS is no answer that anybody waits for.
    return { ...outcome, phases: { ...outcome.phases, firstByteUs: null, transferUs: null } };
  },
};

function lasting(outcome: CheckOutcome, minDays: number): CheckOutcome {
  const expiresAt = outcome.certificate?.expiresAt ?? null;
  if (outcome.reason !== null || expiresAt === null || minDays === 0) return outcome;
  const days = Math.floor((expiresAt - Date.now()) / DAY_MS);
  if (days >= minDays) return outcome;
  const when = { day: new Date(expiresAt).toISOString().slice(0, 10), days, least: minDays };
  const { endsWith } = outcome.certificate ?? {};
  const reason = endsWith
    ? msg("certificate.path_ends_soon", { ...whichOf(endsWith), ...when })
    : msg("certificate.ends_soon", when);
  return { ...outcome, verdict: "failed", reason };
}
