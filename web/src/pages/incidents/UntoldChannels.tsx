import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { UntoldChannel } from "../../api/incidents.ts";
import { manages, useRole } from "../../api/roles.ts";
import { useNow } from "../../components/use-now.ts";
import { formatClock } from "../../format.ts";
import { FoldedList } from "./FoldedList.tsx";

/** Before the rest is folded. */
const channelsShown = 4;

/** The channels that were told nothing of an outage, each with why. */
export function UntoldChannels({ untold }: { untold: readonly UntoldChannel[] }) {
  const { t } = useTranslation("incidents");
  if (untold.length === 0) return null;
  return (
    <div className="border-t border-line px-4 py-2.5 text-sm text-ink-muted">
      <h3>{t("told.untold.title")}</h3>
      <ul className="mt-1 grid gap-1">
        <FoldedList items={untold} shown={channelsShown} more={(count) => t("told.untold.more", { count })}>
          {(channel) => <UntoldLine key={channel.id} channel={channel} />}
        </FoldedList>
      </ul>
    </div>
  );
}

function UntoldLine({ channel: { id, name, why, since } }: { channel: UntoldChannel }) {
  const { t, i18n } = useTranslation("incidents");
  const now = useNow();
  const role = useRole();
  const reason =
    since === null
      ? t(`told.untold.${why}`)
      : t("told.untold.offSince", { time: formatClock(Date.parse(since), now, i18n.language) });
  return (
    <li className="wrap-anywhere">
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
