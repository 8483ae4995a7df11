import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { type Channel, channelsQuery, type UntoldReason, whyUntold } from "../../api/channels.ts";
import type { Incident, IncidentDelivery } from "../../api/incidents.ts";
import { manages, useRole } from "../../api/roles.ts";
import { useNow } from "../../components/use-now.ts";
import { formatClock } from "../../format.ts";
import { FoldedList } from "./FoldedList.tsx";

/** Before the rest is folded. */
const channelsShown = 4;

interface UntoldChannelsProps {
  incident: Incident;
  told: readonly IncidentDelivery[];
}

/** The channels that were told nothing of an outage, each with why; nothing of what people reported, which is not for channels. */
export function UntoldChannels({ incident, told }: UntoldChannelsProps) {
  const { t } = useTranslation("incidents");
  const { data: channels = [] } = useQuery(channelsQuery);
  if (incident.affected.every(({ outageStartedAt }) => outageStartedAt === null)) return null;
  const known = new Set(told.map(({ channelId }) => channelId));
  const untold = channels.flatMap((channel) => {
    const why = known.has(channel.id) ? null : whyUntold(channel, incident);
    return why === null ? [] : [{ channel, why }];
  });
  if (untold.length === 0) return null;
  return (
    <div className="border-t border-line px-4 py-2.5 text-sm text-ink-muted">
      <h3>{t("told.untold.title")}</h3>
      <ul className="mt-1 grid gap-1">
        <FoldedList items={untold} shown={channelsShown} more={(count) => t("told.untold.more", { count })}>
          {({ channel, why }) => <UntoldLine key={channel.id} channel={channel} why={why} />}
        </FoldedList>
      </ul>
    </div>
  );
}

function UntoldLine({ channel, why }: { channel: Channel; why: UntoldReason }) {
  const { t, i18n } = useTranslation("incidents");
  const now = useNow();
  const role = useRole();
  const { id, name, disabledAt } = channel;
  const reason =
    why === "off" && disabledAt !== null
      ? t("told.untold.offSince", { time: formatClock(Date.parse(disabledAt), now, i18n.language) })
      : t(`told.untold.${why}`);
  return (
    <li className="break-words">
      {manages(role) ? (
        <Link
          to="/settings/channels/$id"
          params={{ id: String(id) }}
          className="rounded-sm underline-offset-4 hover:underline"
        >
          <bdi>{name}</bdi>
        </Link>
      ) : (
        <bdi>{name}</bdi>
      )}
      {" · "}
      {reason}
    </li>
  );
}
