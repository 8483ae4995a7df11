import { type Static, Type } from "typebox";
import type { CertificateReport } from "../../checks/certificate.ts";
import { NO_PHASES } from "../../checks/check.ts";
import { MONITOR_STATUSES } from "../../engine/schemas/live.ts";
import { MAX_TAG_LENGTH } from "../../platform/formats/name.ts";
import type { MonitorKind } from "../../platform/monitor-defaults.ts";
import { BulkIdList, bulkResult } from "../../platform/operations/bulk.ts";
import {
  capital,
  fromOutside,
  MessageSchema,
  nullable,
  oneOf,
  sentenceOf,
  Timestamp,
  timestamp,
  timestampOrNull,
} from "../../platform/operations/field.ts";
import { sortQuery } from "../../platform/operations/paging.ts";
import { certificateStatus, isCertificateValid } from "../certificate-status.ts";
import type { MonitorDetail } from "../monitor-detail.ts";
import { settableFields } from "./domain-input.ts";
import {
  CertificateStatus,
  FULL_STATES,
  Phases,
  projectMonitorSettings,
  projectPhases,
} from "./monitor-input.ts";

const Certificate = Type.Object(
  {
    valid: nullable(Type.Boolean(), "Null: no certificate seen yet, or none to see, as with http."),
    host: nullable(
      Type.String(),
      "Whose it is, where redirects lead over several hosts that show one: then it is the one that ends first. Else null.",
    ),
    expiresAt: nullable(
      Timestamp,
      "When it stops to verify: the first end on the best path from it to a trust anchor. What the server sends beside that path does not count.",
    ),
    expiresFirst: fromOutside(
      nullable(
        Type.Object({
          role: Type.Enum(["intermediate", "root"], { description: "Its place in the path." }),
          subject: Type.String(),
        }),
        "The certificate that ends then, where that is not the server's own; else null.",
      ),
    ),
    issuer: fromOutside(nullable(Type.String(), "Who signed it.")),
    status: CertificateStatus,
    reason: nullable(Type.String(), "Why it is not valid."),
    reasonFact: MessageSchema,
    subject: fromOutside(nullable(Type.String())),
    names: fromOutside(Type.Array(Type.String(), { description: "DNS names and addresses it is for." })),
    startsAt: nullable(Timestamp),
    keyType: nullable(Type.String(), "e.g. `EC prime256v1`."),
    fingerprint: nullable(Type.String(), "SHA-256, hex."),
    chain: fromOutside(
      Type.Array(
        Type.Object({
          subject: Type.String(),
          issuer: Type.String(),
          expiresAt: Timestamp,
          isUsed: Type.Boolean({
            description:
              "Whether the path to the trust anchor leads over it; if not, its end does not matter.",
          }),
        }),
        { description: "What the server sent, its own certificate first." },
      ),
    ),
  },
  { title: "Certificate" },
);

/** What the details of every kind of monitor show beside its settings. */
export const detailFields = {
  locations: Type.Array(Type.String(), {
    description: "Codes of the locations it is checked from; [] means all.",
  }),
  statusCode: nullable(Type.Integer(), "HTTP status code of the last check."),
  location: nullable(Type.String(), "Where the last check was made from."),
  address: nullable(Type.String(), "The address the last check connected to."),
  phases: Phases,
  certificate: Certificate,
};

/** A monitor's settings, what the last check saw, and its certificate. `now` in milliseconds. */
export function projectMonitorDetail(detail: MonitorDetail, now: number) {
  const { statusCode, details } = detail.lastResult;
  return {
    ...projectMonitorSettings(detail.settings),
    statusCode,
    location: details?.location ?? null,
    address: details?.address ?? null,
    phases: projectPhases({ ...NO_PHASES, ...details?.phases }),
    certificate: projectCertificate(detail, now),
  };
}

function projectCertificate(
  { certificate, lastResult }: MonitorDetail,
  now: number,
): Static<typeof Certificate> {
  const report = lastResult.certificateReport;
  const leaf = report?.chain[0];
  return {
    valid: isCertificateValid(certificate, now),
    host: report?.host ?? null,
    expiresAt: timestampOrNull(certificate?.expiresAt ?? null),
    expiresFirst: expiresFirst(report),
    issuer: certificate?.issuer ?? null,
    status: certificateStatus(certificate, now),
    reason: sentenceOf(report?.invalidReason),
    reasonFact: report?.invalidReason ?? null,
    subject: leaf?.subject ?? null,
    names: leaf?.names ?? [],
    startsAt: timestampOrNull(leaf?.notBefore ?? null),
    keyType: leaf?.keyType ?? null,
    fingerprint: report?.fingerprint ?? null,
    chain: (report?.chain ?? []).map(({ subject, issuer, notAfter, isUnused = false }) => ({
      subject,
      issuer,
      expiresAt: timestamp(notAfter),
      isUsed: !isUnused,
    })),
  };
}

function expiresFirst(report: CertificateReport | null): Static<typeof Certificate>["expiresFirst"] {
  const { role = "leaf", name: subject = "" } = report?.endsWith ?? {};
  return role === "leaf" ? null : { role, subject };
}

/** What a list of monitors can be narrowed by. */
export const monitorFilters = {
  search: Type.Optional(
    Type.String({
      maxLength: 2048,
      pattern: "^[^\\u0000]*$",
      description: "Part of the name, of what is checked or of a tag, upper or lower case.",
    }),
  ),
  tag: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_TAG_LENGTH,
      pattern: "^[^\\u0000]*$",
      description: "Only what has this tag, exactly as it is written.",
      examples: ["production"],
    }),
  ),
  status: Type.Optional(oneOf(MONITOR_STATUSES, { description: "`up` finds degraded ones too." })),
  state: Type.Optional(
    oneOf(FULL_STATES, {
      description: "The full state: here `up` is without degraded ones and `unknown` without paused ones.",
    }),
  ),
  maintenance: Type.Optional(
    Type.Boolean({ description: "Only what is in maintenance now (true), or what is not (false)." }),
  ),
};

/** What it can be sorted by. */
const SORTS = [
  "name",
  "status",
  "statusSince",
  "responseTime",
  "uptime",
  "certificate",
  "createdAt",
] as const;
export type MonitorSortName = (typeof SORTS)[number];

export const SortQuery = sortQuery(
  SORTS,
  "`status` puts what is down first and what is paused last; what has no figure comes last either way; ties are in the order of their names; `createdAt`: the oldest first, so that pages do not shift while others are added.",
);

const tagList = (description: string) => Type.Optional({ ...settableFields.tags, description });

/** What one request may do with many monitors. */
const BULK_ACTIONS = ["pause", "resume", "delete", "tag"] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** POST /api/domains/bulk and /api/services/bulk: what to do with which, and what became of each of them. */
export const bulkShapes = (noun: MonitorKind) => ({
  input: Type.Object(
    {
      action: oneOf(BULK_ACTIONS, { description: `What to do with the ${noun}s.` }),
      ids: BulkIdList,
      tags: Type.Optional(
        Type.Object(
          {
            add: tagList(`Added to each ${noun}.`),
            remove: tagList(`Removed from each ${noun} that has them.`),
          },
          { description: "Required with `tag`, not allowed otherwise." },
        ),
      ),
    },
    { title: `${capital(noun)}Bulk` },
  ),
  output: bulkResult(noun, BULK_ACTIONS),
});
