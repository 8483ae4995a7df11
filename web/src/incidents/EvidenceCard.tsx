import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import {
  evidenceQuery,
  type FailureEvidence,
  type Incident,
  type IncidentEvidence,
} from "../api/incidents.ts";
import { DetailList, Section } from "../components/Card.tsx";
import { CopyButton } from "../components/CopyButton.tsx";
import { Loaded } from "../components/Loaded.tsx";
import { Time } from "../components/Time.tsx";
import { formatDate, formatResponseTime } from "../i18n/format.ts";
import { locationInReadersLanguage, translateMessage } from "../i18n/i18n.ts";
import { MoreMembers } from "./IncidentStatusText.tsx";

const ROUTE_COMES_WITHIN_MS = 60_000;
const ROUTE_LOOK_MS = 5_000;

/** What its checks saw when it began, as text: nothing of it runs here. */
export function EvidenceCard({ incident }: { incident: Incident }) {
  const { t } = useTranslation("incidents");
  const isOutage = incident.affected.some(({ outageStartedAt }) => outageStartedAt !== null);
  const query = useQuery({
    ...evidenceQuery(incident.id),
    enabled: isOutage,
    refetchInterval: ({ state }) => (state.data?.evidence.some(mayGetRoute) ? ROUTE_LOOK_MS : false),
  });
  // Most kinds of checks keep none, and then there is nothing to say.
  if (!isOutage || query.isPending || query.data?.evidence.length === 0) return null;
  return (
    <Section title={t("evidence.title")}>
      <Loaded of={query} failed={t("evidence.failed")} loading={null}>
        {(seen) => <Failures of={seen} />}
      </Loaded>
    </Section>
  );
}

/** What was observed of a monitor, or of each of several once they are unfolded. */
function Failures({ of: { evidence, omitted } }: { of: IncidentEvidence }) {
  const { t } = useTranslation("incidents");
  const ids = [...new Set(evidence.map(({ monitorId }) => monitorId))];
  const own = evidence.map((one) => (
    <Failure key={`${one.monitorId} ${one.at} ${one.moment}`} of={one} named={ids.length > 1} />
  ));
  return (
    <div className="group/seen grid gap-3 px-4 pb-4">
      {ids.length === 1 ? (
        own
      ) : (
        <MoreMembers label={t("evidence.of", { count: ids.length })} className="gap-3">
          {own}
        </MoreMembers>
      )}
      {omitted > 0 && <p className="text-sm text-ink-muted">{t("evidence.omitted", { count: omitted })}</p>}
      <p className="hidden text-sm text-ink-muted group-has-[details[open]]/seen:block">
        {t("evidence.masked")}
      </p>
    </div>
  );
}

/** A route follows its failure some seconds later. */
const mayGetRoute = ({ at, statusCode, routeReached, routeMessage }: FailureEvidence) =>
  statusCode === null &&
  routeReached === null &&
  routeMessage === null &&
  Date.now() - Date.parse(at) < ROUTE_COMES_WITHIN_MS;

function Failure({ of: seen, named }: { of: FailureEvidence; named: boolean }) {
  const { t } = useTranslation("incidents");
  const { at, message, fact, location, moment, name } = seen;
  const answer = statusLine(seen) || t("evidence.noAnswer");
  return (
    <details data-evidence={moment} className="min-w-0">
      <summary className="cursor-pointer rounded-sm wrap-anywhere">
        {named && <span className="font-medium">{name} · </span>}
        {t(`evidence.${moment}`)}{" "}
        <span className="text-sm text-ink-muted">
          <Time at={at} />
          {` · ${locationInReadersLanguage(location)} · ${answer}`}
        </span>
      </summary>
      <div className="mt-2 grid min-w-0 gap-3 border-l border-line pl-3">
        {message !== null && <p className="text-sm wrap-anywhere">{translateMessage(message, fact)}</p>}
        <FailureDetails of={seen} />
        <EvidenceRoute of={seen} />
        <FailureTexts of={seen} />
      </div>
    </details>
  );
}

function FailureDetails({ of: seen }: { of: FailureEvidence }) {
  const { t, i18n } = useTranslation("incidents");
  const { certificate, phases } = seen;
  const validity = certificate && {
    subject: certificate.subject,
    date: formatDate(certificate.expiresAt, i18n.language),
  };
  const times = (["dns", "connect", "tls", "firstByte", "transfer"] as const).flatMap((kind) => {
    const took = phases[kind];
    return took === null
      ? []
      : t(`evidence.kinds.${kind}`, { time: formatResponseTime(took, i18n.language) });
  });
  return (
    <DetailList
      details={[
        [t("evidence.request"), `${seen.method} ${seen.url}`],
        [t("evidence.redirects"), seen.redirects.map((one) => `${one.statusCode} → ${one.url}`).join("; ")],
        [t("evidence.connected"), seen.address],
        [t("evidence.addresses"), seen.addresses.length > 1 && seen.addresses.join(", ")],
        [
          t("evidence.certificate"),
          validity &&
            [t("evidence.until", validity), !certificate.valid && t("evidence.invalid")]
              .filter(Boolean)
              .join(" · "),
        ],
        [t("evidence.times"), times.join(" · ")],
      ]}
    />
  );
}

function FailureTexts({ of: seen }: { of: FailureEvidence }) {
  const { t } = useTranslation("incidents");
  const { headers, headersOmitted, body } = seen;
  if (seen.statusCode === null) return null;
  const lines = headers.map(({ name, value }) => `${name}: ${value}`).join("\n");
  const notes = [
    body?.encoding === "hex" && t("evidence.bodyHex"),
    body?.isCut && t("evidence.bodyCut"),
  ].filter(Boolean);
  return (
    <>
      <Words
        label={t("evidence.headers")}
        text={[statusLine(seen), lines].join("\n")}
        note={headersOmitted > 0 ? t("evidence.headersOmitted", { count: headersOmitted }) : ""}
      />
      {body && (
        <Words
          label={t("evidence.body")}
          text={body.content || t("evidence.bodyEmpty")}
          note={notes.join(" ")}
        />
      )}
      <CopyButton
        variant="quiet"
        className="w-fit"
        value={[statusLine(seen), lines, "", body?.content ?? ""].join("\n")}
      />
    </>
  );
}

const statusLine = ({ protocol, statusCode, statusText }: FailureEvidence) =>
  statusCode === null ? "" : [protocol?.toUpperCase(), statusCode, statusText].filter(Boolean).join(" ");

function Words({ label, text, note }: { label: string; text: string; note: string }) {
  return (
    <div className="min-w-0">
      <h3 className="text-sm text-ink-faint">{label}</h3>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable with the keyboard
        tabIndex={0}
        aria-label={label}
        className="mt-1 max-h-80 overflow-auto rounded-md border border-line bg-page px-3 py-2.5 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere"
      >
        {text}
      </pre>
      {note !== "" && <p className="mt-1 text-sm text-ink-muted">{note}</p>}
    </div>
  );
}

/** The way to the address of a failed check, hop by hop, or why it is not known. */
function EvidenceRoute({ of: seen }: { of: FailureEvidence }) {
  const { t, i18n } = useTranslation("incidents");
  const { route, routeReached, routeMessage, routeFact } = seen;
  if (routeMessage === null && routeReached === null) return null;
  const end = routeReached ? t("evidence.route.reached") : t("evidence.route.lost", { hop: route.length });
  return (
    <div className="min-w-0">
      <h3 className="text-sm text-ink-faint">{t("evidence.route.title")}</h3>
      {route.length > 0 && (
        <ol
          aria-label={t("evidence.route.title")}
          className="mt-1 grid max-w-md grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3 rounded-md border border-line bg-page px-3 py-2.5 font-mono text-xs leading-5 tabular-nums"
        >
          {route.map(({ hop, address, ms }) => (
            <li key={hop} className="col-span-full grid grid-cols-subgrid">
              <span className="text-right text-ink-faint">{hop}</span>
              <span className={address === null ? "text-ink-muted" : "wrap-anywhere"}>
                {nameOf(address, t)}
              </span>
              <span className="text-right text-ink-muted">
                {ms !== null && formatResponseTime(ms, i18n.language)}
              </span>
            </li>
          ))}
        </ol>
      )}
      <p className="mt-1 text-sm text-ink-muted">
        {routeMessage === null ? end : translateMessage(routeMessage, routeFact)}
      </p>
    </div>
  );
}

function nameOf(address: string | null, t: ReturnType<typeof useTranslation<"incidents">>["t"]): string {
  if (address === null) return t("evidence.route.silent");
  return address === "private" ? t("evidence.route.private") : address;
}
