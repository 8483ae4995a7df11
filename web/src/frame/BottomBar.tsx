import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bell, BookOpen, Ellipsis, LogOut, MessagesSquare, Search } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { problemCountsQuery } from "../api/dashboard-stats.ts";
import { useUnread } from "../api/notifications.ts";
import type { Session } from "../api/session.ts";
import { useLanguageChoice } from "../components/LanguageMenu.tsx";
import { LiveIndicator } from "../components/LiveIndicator.tsx";
import { Select } from "../forms/Select.tsx";
import { currentLanguage } from "../i18n/i18n.ts";
import { languageCodes, languages } from "../i18n/languages.ts";
import { apiPaths } from "../paths.ts";
import { chooseTheme, themes, useTheme } from "../theme.ts";
import { useSignOut } from "./AccountMenu.tsx";
import { togglePanel } from "./assistant/panel-state.ts";
import { NotificationsSheet, UnreadCount } from "./Bell.tsx";
import { barEntries, entries } from "./entries.ts";
import { ProblemCount } from "./NavLink.tsx";
import { useOrganizationSwitch } from "./OrganizationSwitcher.tsx";
import { openPalette } from "./palette/palette-state.ts";
import { Sheet } from "./Sheet.tsx";

const look =
  "relative grid h-14 min-w-0 flex-1 content-center justify-items-center gap-0.5 text-xs text-ink-muted focus-visible:-outline-offset-2 aria-[current=page]:font-medium aria-[current=page]:text-ink [&_svg]:size-5";

/** The pages at the bottom of a phone, in reach of the thumb. */
export function BottomBar({ session }: { session: Session }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<"more" | "notifications" | null>(null);
  const { data: problemCounts } = useQuery(problemCountsQuery);
  const unread = useUnread();
  return (
    <>
      <nav
        aria-label={t("app.mainNavigation")}
        data-bottom-bar
        className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-page pb-[env(safe-area-inset-bottom)]"
      >
        {barEntries.map(({ id, path, icon: Icon, count }) => (
          <Link key={id} to={path} activeOptions={{ exact: path === "/" }} className={look}>
            <span className="relative">
              <Icon aria-hidden />
              <ProblemCount count={(count && problemCounts?.[count]) ?? 0} corner of={id} />
            </span>
            <span className="max-w-full truncate px-0.5">{t(`app.${id}`)}</span>
          </Link>
        ))}
        <button type="button" onClick={openPalette} className={look}>
          <Search aria-hidden />
          <span className="max-w-full truncate px-0.5">{t("app.search")}</span>
        </button>
        <button type="button" aria-expanded={open !== null} onClick={() => setOpen("more")} className={look}>
          <span className="relative">
            <Ellipsis aria-hidden />
            <UnreadCount count={unread} corner />
          </span>
          <span className="max-w-full truncate px-0.5">{t("app.more")}</span>
        </button>
      </nav>
      {open === "more" && (
        <MoreSheet
          session={session}
          unread={unread}
          onNotifications={() => setOpen("notifications")}
          onClose={() => setOpen(null)}
        />
      )}
      {open === "notifications" && <NotificationsSheet onClose={() => setOpen(null)} />}
    </>
  );
}

interface MoreSheetProps {
  session: Session;
  unread: number;
  onNotifications: () => void;
  onClose: () => void;
}

const row =
  "flex h-12 w-full items-center gap-3 px-4 text-left focus-visible:-outline-offset-2 [&>svg]:size-5 [&>svg]:text-ink-faint";

/** What a phone's bar has no room for. */
function MoreSheet({ session, unread, onNotifications, onClose }: MoreSheetProps) {
  const { t } = useTranslation();
  const leave = useSignOut();
  const { name, email } = session.user;
  return (
    <Sheet title={session.organization.name} action={<LiveIndicator rail={false} />} onClose={onClose}>
      <div className="py-2">
        {entries
          .filter((entry) => !barEntries.includes(entry))
          .map(({ id, path, icon: Icon }) => (
            <Link key={id} to={path} onClick={onClose} className={row}>
              <Icon aria-hidden />
              {t(`app.${id}`)}
            </Link>
          ))}
        <button
          type="button"
          onClick={() => {
            onClose();
            togglePanel(true);
          }}
          className={row}
        >
          <MessagesSquare aria-hidden />
          {t("app.assistant")}
        </button>
        <button type="button" onClick={onNotifications} className={row}>
          <Bell aria-hidden />
          <span className="flex-1">{t("bell.title")}</span>
          <UnreadCount count={unread} corner={false} />
        </button>
        <a href={apiPaths.docs} target="_blank" rel="noreferrer" className={row}>
          <BookOpen aria-hidden />
          {t("account.docs")}
        </a>
      </div>
      <Choices session={session} onClose={onClose} />
      <div className="border-t border-line py-2">
        <p className="truncate px-4 pt-1 text-sm text-ink-muted">
          {name} · {email}
        </p>
        <button type="button" onClick={leave} className={row}>
          <LogOut aria-hidden />
          {t("account.signOut")}
        </button>
        <p className="px-4 pb-2 text-xs text-ink-faint">
          {t("account.version", { version: VEDETTE_VERSION })}
        </p>
      </div>
    </Sheet>
  );
}

function Choices({
  session: { organization, organizations },
  onClose,
}: Pick<MoreSheetProps, "session" | "onClose">) {
  const { t } = useTranslation();
  const theme = useTheme();
  const chooseLanguage = useLanguageChoice();
  const switchTo = useOrganizationSwitch();
  return (
    <div className="grid gap-3 border-t border-line px-4 py-3">
      {organizations.length > 1 && (
        <Choice label={t("account.organization")}>
          {(id) => (
            <Select
              id={id}
              value={String(organization.id)}
              options={organizations.map((one) => [String(one.id), one.name])}
              onChange={(chosen) => {
                onClose();
                switchTo(Number(chosen));
              }}
            />
          )}
        </Choice>
      )}
      <Choice label={t("theme.title")}>
        {(id) => (
          <Select
            id={id}
            value={theme}
            options={themes.map((one) => [one, t(`theme.choice.${one}`)])}
            onChange={(chosen) => chooseTheme(themes.find((one) => one === chosen) ?? "system")}
          />
        )}
      </Choice>
      <Choice label={t("language.label")}>
        {(id) => (
          <Select
            id={id}
            value={currentLanguage()}
            options={languageCodes.map((code) => [code, languages[code]])}
            onChange={(chosen) => chooseLanguage(languageCodes.find((code) => code === chosen) ?? "en")}
          />
        )}
      </Choice>
    </div>
  );
}

function Choice({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = `more-${label}`;
  return (
    <div className="grid grid-cols-[1fr_minmax(0,12rem)] items-center gap-3">
      <label htmlFor={id} className="text-sm">
        {label}
      </label>
      {children(id)}
    </div>
  );
}
