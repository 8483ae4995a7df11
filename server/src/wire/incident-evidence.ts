import { type Static, Type } from "typebox";
import type { Phases as MeasuredPhases } from "../check/check.ts";
import type { HttpEvidence } from "../check/evidence.ts";
import type { Route } from "../check/route.ts";
import { type MessageDescriptor, msg } from "../texts/message.ts";
import { MessageSchema, sentenceOf } from "./fact.ts";
import { fromOutside, IdText, nullable, oneOf, Timestamp, timestamp, Uuid } from "./field.ts";
import { Phases, projectPhases } from "./monitor-fields.ts";

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
      "Who answered; null: nobody. `private`: an address inside the probe's own network, which is not shown where private targets are not allowed.",
    ),
    ms: nullable(
      Type.Number({ examples: [12] }),
      "About how long the answer took, milliseconds; null where `ping` does not tell.",
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
    url: fromOutside(Type.String({ description: "The last that was asked, after redirects." })),
    statusCode: nullable(Type.Integer(), "Null without an answer."),
    statusText: fromOutside(
      Type.String({
        description: "What stands behind the code in HTTP/1.",
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

/** What checks saw at the moments of failure. */
export const IncidentEvidence = Type.Object(
  {
    evidence: Type.Array(FailureEvidence, {
      description:
        "By monitor, in the order they joined; of each the first failure and the one that confirmed it.",
    }),
    omitted: Type.Integer({
      description: "Of so many monitors more there is some: ask for each by `monitor`.",
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
    routeReached: route === undefined || route.trouble !== null ? null : route.isReached,
    routeMessage: sentenceOf(why),
    routeFact: why ?? null,
  };
}

function whyNoRoute({ trouble: problem, hops }: Route): MessageDescriptor | null {
  if (problem !== null) return msg(`route.${problem}`);
  return hops.length === 0 ? msg("route.silent") : null;
}
