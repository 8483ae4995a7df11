import { type Static, Type } from "typebox";
import { NO_PHASES } from "../check/check.ts";
import type { HttpConfig } from "../check/http-config.ts";
import { certificateStatus, isCertificateValid } from "../monitor/certificate-status.ts";
import type { MonitorDetail } from "../monitor/monitor-detail.ts";
import { CertificateStatus, nullable } from "./domain-fields.ts";
import { Phases, projectPhases } from "./domain-history.ts";
import { checkFields, settableFields } from "./domain-input.ts";
import { domainFields, projectDomain } from "./domains.ts";
import { Fact, sentenceOf } from "./fact.ts";
import { Timestamp, timestamp, timestampOrNull } from "./field.ts";
import { projectMonitorSettings } from "./monitor-input.ts";

export const Certificate = Type.Object(
  {
    valid: nullable(Type.Boolean(), "Null: no certificate seen yet, or none to see, as with http."),
    expiresAt: nullable(Timestamp, "The earliest end in the chain the server sent."),
    issuer: nullable(Type.String(), "Who signed it."),
    status: CertificateStatus,
    reason: nullable(Type.String(), "Why it is not valid."),
    reasonFact: Fact,
    subject: nullable(Type.String()),
    names: Type.Array(Type.String(), { description: "DNS names and addresses it is for." }),
    startsAt: nullable(Timestamp),
    keyType: nullable(Type.String(), "e.g. `EC prime256v1`."),
    fingerprint: nullable(Type.String(), "SHA-256, hex."),
    chain: Type.Array(Type.Object({ subject: Type.String(), issuer: Type.String(), expiresAt: Timestamp }), {
      description: "What the server sent, its own certificate first.",
    }),
  },
  { title: "Certificate" },
);

const { authConfig: _, tags: __, ...shownSettings } = settableFields;

export const detailFields = {
  ...shownSettings,
  locations: Type.Array(Type.String(), {
    description: "Codes of the locations it is checked from; [] means all.",
  }),
  lastReason: nullable(Type.String(), "What the last check found wrong, as a sentence."),
  statusCode: nullable(Type.Integer(), "HTTP status code of the last check."),
  location: nullable(Type.String(), "Where the last check was made from."),
  address: nullable(Type.String(), "The address the last check connected to."),
  protocol: nullable(Type.String(), "e.g. `http/1.1`, `h2`."),
  phases: Phases,
  certificate: Certificate,
};

export const DomainDetail = Type.Object({ ...domainFields, ...detailFields }, { title: "DomainDetail" });

/** A domain in full. `now` in milliseconds. */
export function projectDomainDetail(detail: MonitorDetail, now: number): Static<typeof DomainDetail> {
  return {
    ...projectDomain(detail, now),
    ...projectMonitorSettings(detail.settings),
    ...projectCheck(detail.settings.config as HttpConfig),
    ...projectLast(detail),
    certificate: projectCertificate(detail, now),
  };
}

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

/** What the last check saw. */
export function projectLast({ lastResult: { details, statusCode } }: MonitorDetail) {
  return {
    lastReason: sentenceOf(details?.reason),
    lastReasonFact: details?.reason ?? null,
    statusCode,
    location: details?.location ?? null,
    address: details?.address ?? null,
    protocol: details?.protocol ?? null,
    phases: projectPhases({ ...NO_PHASES, ...details?.phases }),
  };
}

/** What was seen of its certificate last. `now` in milliseconds. */
export function projectCertificate(
  { certificate, lastResult }: MonitorDetail,
  now: number,
): Static<typeof Certificate> {
  const report = lastResult.certificateReport;
  const leaf = report?.chain[0];
  return {
    valid: isCertificateValid(certificate, now),
    expiresAt: timestampOrNull(certificate?.expiresAt ?? null),
    issuer: certificate?.issuer ?? null,
    status: certificateStatus(certificate, now),
    reason: sentenceOf(report?.invalidReason),
    reasonFact: report?.invalidReason ?? null,
    subject: leaf?.subject ?? null,
    names: leaf?.names ?? [],
    startsAt: timestampOrNull(leaf?.notBefore ?? null),
    keyType: leaf?.keyType ?? null,
    fingerprint: report?.fingerprint ?? null,
    chain: (report?.chain ?? []).map(({ subject, issuer, notAfter }) => ({
      subject,
      issuer,
      expiresAt: timestamp(notAfter),
    })),
  };
}
