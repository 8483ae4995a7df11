import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import type { ServiceDetail } from "../../api/monitor.ts";
import { monitorKeys } from "../../api/monitor-keys.ts";
import type { Service } from "../../api/monitor-list.ts";
import { namedQuery, type SearchResult } from "../../api/search.ts";
import { Section } from "../../components/Card.tsx";
import { Skeleton } from "../../components/Loaded.tsx";
import { type ShownStatus, StatusDot, statusInk } from "../../components/StatusDot.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatDuration, hasJustBegun } from "../../i18n/format.ts";
import { translateMessage } from "../../i18n/i18n.ts";
import { kindOf, monitorKinds } from "../../kinds.ts";
import { type PageOfKind, phasesOf } from "../descriptor.ts";
import { MonitorPage } from "../MonitorPage.tsx";
import { AddressCard, HeartbeatCard } from "./HeartbeatCard.tsx";
import { Target } from "./Target.tsx";

/** What only one protocol has to show. */
const ownCards: Readonly<Record<string, ComponentType<{ service: ServiceDetail }>>> = {
  heartbeat: HeartbeatCard,
  group: MembersCard,
};

const page: PageOfKind = {
  kind: monitorKinds.service,
  address: (service: Service) => <Target service={service} where="page" />,
  // Most of them connect, and are answered: until it is known what it is, it is one of those.
  phasesOf: (service?: Service) => phasesOf(service?.protocol ?? "tcp"),
  hasCodes: (service?: Service) => service?.protocol === "http",
  certificateOf: (service?: ServiceDetail) => {
    if (!service) return null;
    const { protocol, target, certificate, protocolConfig } = service;
    // Many services have nothing to do with certificates.
    if (certificate.status === "none" && protocol !== "http") return null;
    const { ignoreCertificate } = protocolConfig as { ignoreCertificate?: boolean };
    return { plain: target.startsWith("http:"), accepted: ignoreCertificate === true };
  },
  own: (service: ServiceDetail) => {
    const Own = ownCards[service.protocol];
    return Own && <Own service={service} />;
  },
  last: (service: ServiceDetail) =>
    service.protocol === "heartbeat" && <AddressCard service={service} where="last" />,
};

export const ServicePage = () => <MonitorPage page={page} />;

/** Problems come first, and after them what is unknown. */
const order: readonly string[] = ["down", "degraded", "unknown", "up", "paused"];

/** The monitors that a group is made of, each as it is now. */
function MembersCard({ service: { id, protocolConfig } }: { service: ServiceDetail }) {
  const { t } = useTranslation("monitors/service");
  const { members: uuids = [] } = protocolConfig as { members?: string[] };
  const { data } = useQuery(namedQuery(uuids, monitorKeys.members("service", id)));
  const members = (data ?? []).toSorted(
    (a, b) => order.indexOf(a.status) - order.indexOf(b.status) || a.name.localeCompare(b.name),
  );
  const watched = members.filter(({ status }) => status !== "paused");
  const up = watched.filter(({ status }) => status === "up");
  return (
    <Section
      title={t("members.title")}
      trailing={
        watched.length > 0 && (
          <span className="text-sm text-ink-muted tabular-nums">
            {t("members.up", { up: up.length, total: watched.length })}
          </span>
        )
      }
    >
      {uuids.length === 0 && <p className="px-4 pt-1 pb-5 text-pretty text-ink-muted">{t("members.none")}</p>}
      <ul className="max-h-96 overflow-y-auto px-2 pb-2">
        {data === undefined &&
          uuids.map((uuid) => (
            <li key={uuid} aria-hidden className="flex h-9 items-center px-2">
              <Skeleton className="h-3 w-40" />
            </li>
          ))}
        {members.map((member) => (
          <Member key={member.uuid} member={member} />
        ))}
      </ul>
    </Section>
  );
}

function Member({ member }: { member: SearchResult }) {
  const { t, i18n } = useTranslation("monitors");
  const now = useNow();
  const { id, kind: kindId, name, since, lastReason, lastReasonFact } = member;
  const kind = kindOf(kindId);
  if (!kind) return null;
  const status = (member.status === "unknown" && since === null ? "waiting" : member.status) as ShownStatus;
  const isProblem = status === "down" || status === "degraded";
  const lengthMs = since === null ? 0 : now - Date.parse(since);
  const word = t(`status.${status}`, { name });
  const duration = formatDuration(lengthMs, i18n.language);
  const words = isProblem && !hasJustBegun(lengthMs) ? t("status.since", { status: word, duration }) : word;
  const reason = isProblem && lastReason !== null && translateMessage(lastReason, lastReasonFact);
  return (
    <li>
      <Link
        to={kind.pages.one}
        params={{ id: String(id) }}
        className="flex flex-wrap min-h-9 items-center gap-x-2.5 rounded-md px-2 py-1.5 text-sm hover:bg-hover"
      >
        <StatusDot status={status} plain />
        <span className="min-w-0 flex-1 truncate" title={name}>
          {name}
        </span>
        <span className={`shrink-0 text-xs tabular-nums ${statusInk[status]}`}>{words}</span>
        {reason && (
          <span dir="auto" className="w-full pl-4.5 text-xs text-pretty wrap-anywhere text-ink-muted">
            {reason}
          </span>
        )}
      </Link>
    </li>
  );
}
