import { type Static, Type } from "typebox";
import type { Phases as MeasuredPhases } from "../../checks/check.ts";
import type { HttpEvidence } from "../../checks/evidence.ts";
import { RESULT_STATES } from "../../checks/outcome.ts";
import type { Route } from "../../checks/route.ts";
import { Phases, projectPhases } from "../../monitors/schemas/monitor-input.ts";
import { inEnglish } from "../../platform/i18n/english.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { MONITOR_KINDS, STATUSES } from "../../platform/monitor-defaults.ts";
import {
  fromOutside,
  IdText,
  MessageSchema,
  ms,
  nullable,
  oneOf,
  sentenceOf,
  Timestamp,
  timestamp,
  Uuid,
} from "../../platform/operations/field.ts";

const VOTES = ["ok", "suspect", "failing", "recovering", "stale"] as const;

const setting = (maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, description }));

/** GET /api/incidents/{id}/explain. With any of the settings it says what these would have done. */
export const ExplainQuery = Type.Object({
  id: IdText,
  confirmations: setting(10, "What if so many failures in a row had been needed at a location?"),
  recoveries: setting(10, "What if so many successes in a row had been needed to be up again?"),
  quorum: setting(100, "What if so many locations had to fail, instead of more than half of them?"),
});

const Sentence = Type.Object(
  {
    // It may say why a check failed, in a server's own words.
    message: fromOutside(Type.String({ examples: ["local: up, 3 in a row since 2026-11-21 09:30:00 UTC."] })),
    fact: MessageSchema,
  },
  { title: "ToldFact" },
);

const ExplainedVote = Type.Object(
  {
    location: Type.String({ examples: ["local"] }),
    vote: oneOf(VOTES),
    failures: Type.Integer({ description: "In a row." }),
    successes: Type.Integer({ description: "In a row." }),
    since: Type.Unsafe<string>({ ...Timestamp, description: "Of that row, or when it was last received." }),
    ...Sentence.properties,
  },
  { title: "ExplainedVote" },
);

const ExplainedResult = Type.Object(
  {
    location: Type.String({ examples: ["local"] }),
    at: Timestamp,
    state: oneOf(RESULT_STATES),
    responseTime: ms("How long the check took."),
    isRecheck: Type.Boolean({
      description: "Whether it was an extra check, made to confirm the one before.",
    }),
    sincePrevious: nullable(
      Type.Integer({ examples: [2000] }),
      "Milliseconds since the one before at this location; null: none is known.",
    ),
    message: fromOutside(nullable(Type.String({ examples: ["The connection was refused."] }))),
    fact: MessageSchema,
  },
  { title: "ExplainedResult" },
);

const ExplainedTransition = Type.Object(
  {
    from: oneOf(STATUSES),
    to: oneOf(STATUSES),
    at: Timestamp,
    detectedAt: Type.Unsafe<string>({ ...Timestamp, description: "When it was confirmed." }),
    ...Sentence.properties,
    locationsHeard: Type.Integer({ description: "Locations whose votes counted." }),
    locationsFailing: Type.Integer({ description: "Locations that were confirmed to fail." }),
    failingNeeded: Type.Integer({ description: "How many failing locations it takes to open an outage." }),
    upNeeded: Type.Integer({ description: "How many locations that are up it takes to end it." }),
    votes: Type.Array(ExplainedVote, { description: "Empty where the results are no longer stored." }),
    results: Type.Array(ExplainedResult, { description: "The checks that made the votes, oldest first." }),
  },
  { title: "ExplainedTransition" },
);

const WhatIf = Type.Object(
  {
    confirmations: Type.Integer({ description: "Failures in a row until down." }),
    recoveries: Type.Integer({ description: "Successes in a row until up again." }),
    quorum: nullable(Type.Integer(), "Failing locations needed; null: more than half of them."),
    alarms: Type.Integer({ description: "How many outages would have been opened; 0: no alarm at all." }),
    detectedAt: nullable(Timestamp, "Of the first of them."),
    resolvedAt: nullable(Timestamp, "When the end of the last of them would have been confirmed."),
    assumedResults: Type.Integer({
      description:
        "Rechecks that were never made and are assumed to have come out like the checks around them.",
    }),
    sentences: Type.Array(Sentence),
  },
  { title: "WhatIf" },
);

const ExplainedOutage = Type.Object(
  {
    name: Type.String({ description: "As it was at the time.", examples: ["Shop"] }),
    monitorId: nullable(Type.Integer()),
    monitorUuid: nullable(Uuid, "Null: it was deleted."),
    kind: nullable(oneOf(MONITOR_KINDS)),
    startedAt: Timestamp,
    endedAt: nullable(Timestamp, "Null while it is down."),
    maintenanceUntil: nullable(
      Timestamp,
      "When the maintenance window that the monitor is in now ends; null: it is in none.",
    ),
    confirmations: nullable(
      Type.Integer(),
      "Failures in a row until down, as set now; null: the monitor was deleted.",
    ),
    recoveries: nullable(Type.Integer(), "The same of successes until it is up again."),
    recheckDelaySeconds: nullable(Type.Integer(), "Between a check and the recheck that confirms it."),
    isReproduced: Type.Boolean({
      description: "Whether replaying the stored results with its present settings gives what was recorded.",
    }),
    notes: Type.Array(Sentence, { description: "What you need to know to read the rest." }),
    transitions: Type.Array(ExplainedTransition),
    whatIf: Type.Unsafe<Type.Static<typeof WhatIf> | null>({
      ...nullable(
        WhatIf,
        "Null where no other settings were requested, or the results are no longer stored.",
      ),
    }),
  },
  { title: "ExplainedOutage" },
);

/** Why an incident opened and closed. */
export const IncidentExplanation = Type.Object(
  {
    outages: Type.Array(ExplainedOutage, {
      description: "The outages of each monitor in it, in the order in which they joined.",
    }),
    notes: Type.Array(Sentence),
  },
  { title: "IncidentExplanation" },
);

/** A message with its English sentence. */
export const toSentence = (message: MessageDescriptor): Type.Static<typeof Sentence> => ({
  message: inEnglish(message),
  fact: message,
});

/** The same as it is sent. */
export type ShownExplanation = Type.Static<typeof IncidentExplanation>;

const EVIDENCE_TIMES = ["first", "confirmation"] as const;

/** GET /api/incidents/{id}/evidence. */
export const EvidenceQuery = Type.Object({
  id: IdText,
  monitor: Type.Optional({
    ...IdText,
    description: "Only what was seen of this domain or service: its integer id or uuid.",
  }),
});

const EvidenceHeader = Type.Object(
  { name: Type.String({ examples: ["server"] }), value: Type.String({ examples: ["nginx"] }) },
  { title: "EvidenceHeader" },
);

const EvidenceBody = Type.Object(
  {
    encoding: oneOf(["text", "hex"], { description: "`hex`: it is no text, and these are its first bytes." }),
    content: fromOutside(Type.String({ description: "At most 4,096 bytes of text, or 256 bytes in hex." })),
    isCut: Type.Boolean({ description: "Whether there was more of it." }),
  },
  { title: "EvidenceBody" },
);

const EvidenceRedirect = Type.Object(
  {
    statusCode: Type.Integer({ description: "Of the answer that led on.", examples: [302] }),
    url: fromOutside(Type.String({ description: "Where it led." })),
  },
  { title: "EvidenceRedirect" },
);

const EvidenceCertificate = Type.Object(
  {
    valid: Type.Boolean(),
    subject: fromOutside(Type.String()),
    issuer: fromOutside(Type.String()),
    names: fromOutside(Type.Array(Type.String(), { description: "DNS names and addresses it is for." })),
    startsAt: Timestamp,
    expiresAt: Timestamp,
    fingerprint: Type.String({ description: "SHA-256, hex." }),
  },
  { title: "EvidenceCertificate" },
);

const EvidenceHop = Type.Object(
  {
    hop: Type.Integer({ description: "How many steps away, from 1.", examples: [3] }),
    address: nullable(
      Type.String({ examples: ["192.0.2.1"] }),
      "Who answered; null: no one. `private`: an address inside the probe's own network, which is not shown where private targets are not allowed.",
    ),
    ms: nullable(
      Type.Number({ examples: [12] }),
      "About how long the answer took, milliseconds; null where `ping` does not say.",
    ),
  },
  { title: "EvidenceHop" },
);

const FailureEvidence = Type.Object(
  {
    name: Type.String({ description: "Of the monitor, as it was at the time.", examples: ["Shop"] }),
    monitorId: nullable(Type.Integer()),
    monitorUuid: nullable(Uuid, "Null: it was deleted."),
    moment: oneOf(EVIDENCE_TIMES, {
      description: "Whether the outage began with this failure, or was confirmed by it.",
    }),
    at: Timestamp,
    location: Type.String({ description: "Code of the location it was seen from.", examples: ["local"] }),
    message: fromOutside(nullable(Type.String({ examples: ["The server answered 503; expected 200-399."] }))),
    fact: MessageSchema,
    method: Type.String({ examples: ["GET"] }),
    url: fromOutside(Type.String({ description: "The last that was requested, after redirects." })),
    statusCode: nullable(Type.Integer(), "Null without an answer."),
    statusText: fromOutside(
      Type.String({
        description: "The reason phrase after the code in HTTP/1.",
        examples: ["Service Unavailable"],
      }),
    ),
    protocol: nullable(Type.String({ examples: ["http/1.1"] })),
    headers: fromOutside(
      Type.Array(EvidenceHeader, {
        description: "Of the answer, at most 64 and 8 KiB. Cookies and credentials are masked.",
      }),
    ),
    headersOmitted: Type.Integer({ description: "How many more there were." }),
    body: Type.Unsafe<Static<typeof EvidenceBody> | null>({ ...nullable(EvidenceBody, "Null without one.") }),
    redirects: Type.Array(EvidenceRedirect),
    address: nullable(Type.String(), "The address it connected to."),
    addresses: Type.Array(Type.String(), {
      description: "What the name led to, as far as this installation may connect there.",
    }),
    certificate: Type.Unsafe<Static<typeof EvidenceCertificate> | null>({
      ...nullable(EvidenceCertificate, "Null: the check did not get that far, or there is none."),
    }),
    phases: Phases,
    route: Type.Array(EvidenceHop, {
      description:
        "The way to `address`, by `ping`, after a confirmed failure of the network; without what is silent at its end. It comes up to 40 seconds after the failure.",
    }),
    routeReached: nullable(
      Type.Boolean(),
      "Whether the last hop is the address itself. Null: nothing was traced.",
    ),
    routeMessage: nullable(
      Type.String({ examples: ["The route was not traced: too many others were being traced at the time."] }),
      "Why there is no route.",
    ),
    routeFact: MessageSchema,
  },
  { title: "FailureEvidence" },
);

/** What checks saw when they failed. */
export const IncidentEvidence = Type.Object(
  {
    evidence: Type.Array(FailureEvidence, {
      description:
        "By monitor, in the order they joined; of each the first failure and the one that confirmed it.",
    }),
    omitted: Type.Integer({
      description: "Of so many monitors more there is some: request each by `monitor`.",
    }),
  },
  { title: "IncidentEvidence" },
);

/** The same as it is sent. */
export type ShownEvidence = Static<typeof IncidentEvidence>;

/** What is stored of one moment. */
export interface StoredFailure extends HttpEvidence {
  reason: MessageDescriptor | null;
  statusCode: number | null;
  address: string | null;
  protocol: string | null;
  phases: MeasuredPhases;
  route?: Route;
}

/** Whose, when and from where. */
type Setting = Pick<
  Static<typeof FailureEvidence>,
  "name" | "monitorId" | "monitorUuid" | "moment" | "location"
> & { at: number };

export function projectFailure(
  { at, ...setting }: Setting,
  seen: StoredFailure,
): Static<typeof FailureEvidence> {
  const { reason, headers, headerCount, body, certificate, phases, route, ...own } = seen;
  return {
    ...setting,
    ...own,
    at: timestamp(at),
    message: sentenceOf(reason),
    fact: reason,
    headers: headers.map(([name, value]) => ({ name, value })),
    headersOmitted: headerCount - headers.length,
    body: body && { encoding: body.encoding, content: body.content, isCut: body.cut },
    certificate: certificate && {
      ...certificate,
      startsAt: timestamp(certificate.notBefore),
      expiresAt: timestamp(certificate.notAfter),
    },
    phases: projectPhases(phases),
    ...projectRoute(route),
  };
}

function projectRoute(route: Route | undefined) {
  const why = route && whyNoRoute(route);
  return {
    route: route?.hops ?? [],
    routeReached: route === undefined || route.problem !== null ? null : route.isReached,
    routeMessage: sentenceOf(why),
    routeFact: why ?? null,
  };
}

function whyNoRoute({ problem, hops }: Route): MessageDescriptor | null {
  if (problem !== null) return msg(`route.${problem}`);
  return hops.length === 0 ? msg("route.silent") : null;
}
