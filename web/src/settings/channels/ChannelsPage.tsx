import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { BellRing, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Channel, channelsQuery, useDeleteChannel } from "../../api/channels.ts";
import { useMayWrite } from "../../api/roles.ts";
import { ButtonLink, IconButton } from "../../components/Button.tsx";
import { Card } from "../../components/Card.tsx";
import { DeleteDialog } from "../../components/ConfirmDialog.tsx";
import { focusPage } from "../../components/focus.ts";
import { EmptyState, Loaded } from "../../components/Loaded.tsx";
import { usePageTitle } from "../../components/PageBar.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatDateTime, formatMoment } from "../../i18n/format.ts";
import { translateMessage } from "../../i18n/i18n.ts";
import { StateTable } from "../SettingRow.tsx";
import { useOffWords } from "./ChannelBar.tsx";
import type english from "./en.json";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "settings/channels": typeof english;
  }
}

export function ChannelsPage() {
  const { t } = useTranslation("settings/channels");
  usePageTitle(t("title"));
  const query = useQuery(channelsQuery);
  const [deleting, setDeleting] = useState<Channel | null>(null);
  const canWrite = useMayWrite();
  const add = canWrite && (
    <ButtonLink to="/settings/channels/new">
      <Plus aria-hidden className="-ml-0.5 size-4" />
      {t("add")}
    </ButtonLink>
  );
  return (
    <>
      <div className="mb-4 flex min-h-9 flex-wrap items-center justify-between gap-4">
        <p className="text-pretty text-ink-muted">{t("text")}</p>
        {query.data && query.data.length > 0 && add}
      </div>
      <Card>
        <Loaded
          of={query}
          failed={t("failed")}
          loading={<ChannelList channels={undefined} />}
          empty={
            <EmptyState
              icon={<BellRing aria-hidden className="size-7" strokeWidth={1.25} />}
              title={t("empty.title")}
              text={t(canWrite ? "empty.text" : "empty.readOnly")}
            >
              {add}
            </EmptyState>
          }
        >
          {(channels) => <ChannelList channels={channels} {...(canWrite && { onDelete: setDeleting })} />}
        </Loaded>
      </Card>
      {deleting && <DeleteChannelDialog channel={deleting} onDone={() => setDeleting(null)} />}
    </>
  );
}

function DeleteChannelDialog({ channel, onDone }: { channel: Channel; onDone: () => void }) {
  const { t } = useTranslation("settings/channels");
  const { id, name } = channel;
  const words = {
    title: t("delete.title", { name }),
    text: t("delete.text"),
    done: t("delete.done", { name }),
  };
  const deletion = useDeleteChannel();
  return <DeleteDialog id={id} words={words} deletion={deletion} focusInstead={focusPage} onDone={onDone} />;
}

interface ChannelListProps {
  /** Undefined while they are on their way. */
  channels: Channel[] | undefined;
  /** Undefined: the reader may not. */
  onDelete?: (channel: Channel) => void;
}

/** One channel a row: where it leads, whether it works, and when it was last notified. */
function ChannelList({ channels, onDelete }: ChannelListProps) {
  const { t } = useTranslation("settings/channels");
  const actions = (channel: Channel) => (
    <IconButton label={t("delete.of", { name: channel.name })} onClick={() => onDelete?.(channel)}>
      <Trash2 aria-hidden className="size-4" />
    </IconButton>
  );
  return (
    <StateTable
      rows={channels}
      heads={{ name: t("name"), state: t("state") }}
      name={(channel) => <ChannelName channel={channel} />}
      state={(channel) => <ChannelState channel={channel} />}
      actions={onDelete && actions}
    />
  );
}

function ChannelName({ channel: { id, name, type, target } }: { channel: Channel }) {
  const { t } = useTranslation("settings/channels");
  return (
    <>
      <Link
        to="/settings/channels/$id"
        params={{ id: String(id) }}
        className="block truncate rounded-sm font-medium underline-offset-4 hover:underline"
      >
        {name}
      </Link>
      <div className="truncate text-xs text-ink-faint">
        {t(`type.${type}` as "type.slack", { defaultValue: type })} · {target}
      </div>
    </>
  );
}

/** Off, and why; waiting to be confirmed; or when it was last notified, and whether that was delivered. */
function ChannelState({ channel }: { channel: Channel }) {
  const { t, i18n } = useTranslation("settings/channels");
  const now = useNow();
  const offWords = useOffWords();
  const { enabled, confirmed, disabledReason, lastDelivery: last } = channel;
  if (!enabled) {
    return (
      <span className={`wrap-anywhere ${disabledReason === null ? "text-ink-muted" : "text-down-ink"}`}>
        {offWords(channel)}
      </span>
    );
  }
  if (!confirmed) return <span className="text-warn-ink">{t("unconfirmed.state")}</span>;
  if (last === null) return <span className="text-ink-muted">{t("nothingSent")}</span>;
  // The other texts are of the message, not of when it was sent.
  const at = last.state === "sent" ? (last.triedAt ?? last.createdAt) : last.createdAt;
  const time = formatMoment(at, now, i18n.language);
  const why = last.failure === null ? null : translateMessage(last.failure, last.failureFact);
  return (
    <span
      title={formatDateTime(at, i18n.language)}
      className={last.state === "failed" || why !== null ? "wrap-anywhere text-down-ink" : "text-ink-muted"}
    >
      {why === null
        ? t(`last.${last.state}`, { time })
        : t(last.state === "waiting" ? "lastNotYet" : "lastUndelivered", { time, why })}
    </span>
  );
}
