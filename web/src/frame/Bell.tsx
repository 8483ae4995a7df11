import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Bell as BellIcon, CheckCheck } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { notificationWords } from "../api/notification-words.ts";
import { type NotificationItem, notificationsQuery, useMarkRead, useUnread } from "../api/notifications.ts";
import { IconButton } from "../components/Button.tsx";
import { Loaded, Skeleton } from "../components/Loaded.tsx";
import { Time } from "../components/Time.tsx";
import { formatCount } from "../i18n/format.ts";
import { kindOf } from "../kinds.ts";
import { RowName, rowLook } from "./NavLink.tsx";
import { Sheet } from "./Sheet.tsx";

/** The API counts to 1,000, and an icon has room for two digits. */
const mostShown = { row: 999, corner: 99 };

export function Bell({ rail }: { rail: boolean }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const unread = useUnread();
  return (
    <>
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(true)} className={rowLook}>
        <BellIcon aria-hidden />
        <RowName rail={rail}>{t("bell.title")}</RowName>
        <UnreadCount count={unread} corner={rail} />
      </button>
      {isOpen && <NotificationsSheet onClose={() => setOpen(false)} />}
    </>
  );
}

/** How many are unread; nothing where none is. `corner`: on an icon. */
export function UnreadCount({ count, corner }: { count: number; corner: boolean }) {
  const { t, i18n } = useTranslation();
  if (count === 0) return null;
  const most = mostShown[corner ? "corner" : "row"];
  const place = corner ? "absolute -top-1 left-4 h-4 min-w-4 px-1 leading-4" : "h-5 min-w-5 px-1.5 leading-5";
  return (
    <span
      className={`rounded-full bg-action text-center text-xs font-medium text-on-action tabular-nums ${place}`}
    >
      <span aria-hidden>
        {formatCount(Math.min(count, most), i18n.language)}
        {count > most && "+"}
      </span>
      <span className="sr-only">{t("bell.unread", { count })}</span>
    </span>
  );
}

/** The notifications, newest first; pressing one leads to what it is about. */
export function NotificationsSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const query = useQuery({ ...notificationsQuery, select: ({ notifications }) => notifications });
  const unread = useUnread();
  const { mutate: markRead } = useMarkRead();
  return (
    <Sheet
      title={t("bell.title")}
      onClose={onClose}
      action={
        unread > 0 && (
          <IconButton label={t("bell.readAll")} onClick={() => markRead("all")}>
            <CheckCheck aria-hidden className="size-4" />
          </IconButton>
        )
      }
    >
      <Loaded
        of={query}
        failed={t("bell.failed")}
        loading={<NotificationsSkeleton />}
        empty={<p className="px-4 py-10 text-center text-pretty text-ink-faint">{t("bell.empty")}</p>}
      >
        {(notifications) => (
          <ul>
            {notifications.map((notification) => (
              <NotificationRow
                key={notification.id}
                notification={notification}
                onRead={markRead}
                onClose={onClose}
              />
            ))}
          </ul>
        )}
      </Loaded>
    </Sheet>
  );
}

const dots: Record<NotificationItem["type"], string> = {
  error: "bg-down",
  warning: "bg-warn",
  success: "bg-up",
  info: "bg-idle",
};

interface NotificationRowProps {
  notification: NotificationItem;
  onRead: (id: number) => void;
  onClose: () => void;
}

function NotificationRow({ notification, onRead, onClose }: NotificationRowProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { id, event, type, isRead, monitorKind, monitorId, incidentId, fact, createdAt } = notification;
  const kind = kindOf(monitorKind ?? "");
  const words = notificationWords(notification);
  const open = () => {
    if (!isRead) onRead(id);
    // What is said of several monitors is to be read in their incident.
    if (incidentId !== null && fact?.params && ("others" in fact.params || "lead" in fact.params))
      void navigate({ to: "/incidents/$id", params: { id: String(incidentId) } });
    else if (kind) void navigate({ to: kind.pages.one, params: { id: String(monitorId) } });
    else if (event === "channel.disabled") void navigate({ to: "/settings/channels" });
    else return;
    onClose();
  };
  return (
    <li className="border-t border-line first:border-t-0">
      <button
        type="button"
        onClick={open}
        className="flex w-full gap-3 px-4 py-2.5 text-left text-sm hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span
          aria-hidden
          className={`mt-1.5 size-2 shrink-0 rounded-full ${dots[type]} ${isRead ? "opacity-40" : ""}`}
        />
        <span className={`min-w-0 flex-1 wrap-anywhere ${isRead ? "text-ink-muted" : "font-medium"}`}>
          {!isRead && <span className="sr-only">{t("bell.new")} </span>}
          {words}
          <Time at={createdAt} as="ago" className="mt-0.5 block text-xs font-normal text-ink-faint" />
        </span>
      </button>
    </li>
  );
}

function NotificationsSkeleton() {
  return (
    <div aria-hidden className="grid gap-4 p-4">
      {["w-72", "w-60", "w-64"].map((width) => (
        <Skeleton key={width} className={`h-3.5 max-w-full ${width}`} />
      ))}
    </div>
  );
}
