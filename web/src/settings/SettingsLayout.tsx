import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, Navigate, Outlet, useLocation } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type Session, sessionQuery } from "../api/session.ts";
import { PageBar, usePageTitle } from "../components/PageBar.tsx";
import { useMedia } from "../components/use-media.ts";
import type english from "./en.json";
import { settingsEntriesOf, settingsEntryAt } from "./entries.ts";

declare module "../i18n/texts.ts" {
  interface PageTexts {
    settings: typeof english;
  }
}

/** The settings' pages beside their list; on a phone the list is a page of its own, which opens them. */
export function SettingsLayout() {
  const { t } = useTranslation("settings");
  const { data: session } = useSuspenseQuery(sessionQuery);
  const path = useLocation({ select: ({ pathname }) => pathname });
  const entry = settingsEntryAt(path);
  // What is opened from an entry's page says by itself what it is.
  const isBelowEntry = /^\/settings\/[^/]+\/[^/]+/.test(path);
  const isList = /^\/settings\/?$/.test(path);
  return (
    <div className="md:grid md:grid-cols-[12.5rem_minmax(0,1fr)] md:gap-x-8 lg:gap-x-12">
      {entry ? (
        <PageBar
          heading
          crumbs={[{ label: t("title"), to: "/settings" }]}
          title={t(`entries.${entry.label}`)}
        />
      ) : (
        !isBelowEntry && <PageBar heading={isList} title={t("title")} />
      )}
      <nav
        aria-label={t("title")}
        className={`self-start md:sticky md:top-20 ${isList ? "" : "max-md:hidden"}`}
      >
        {session && <EntryList session={session} />}
      </nav>
      <div className="min-w-0">
        <Outlet />
      </div>
    </div>
  );
}

function EntryList({ session: { organization } }: { session: Session }) {
  const { t } = useTranslation("settings");
  return (
    <ul className="grid max-md:divide-y max-md:divide-line max-md:rounded-lg max-md:border max-md:border-line max-md:bg-surface max-md:shadow-card md:gap-0.5">
      {settingsEntriesOf(organization.role).map(({ path, label, icon: Icon }) => (
        <li key={path}>
          <Link
            to={path}
            className="flex h-12 items-center gap-3 rounded-md px-4 text-ink transition-colors hover:bg-hover focus-visible:-outline-offset-2 md:h-8 md:gap-2.5 md:px-2.5 md:text-ink-muted md:hover:text-ink md:aria-[current=page]:bg-hover md:aria-[current=page]:text-ink"
          >
            <Icon aria-hidden className="size-4 shrink-0 text-ink-faint" />
            <span className="min-w-0 grow truncate">{t(`entries.${label}`)}</span>
            <ChevronRight aria-hidden className="size-4 shrink-0 text-ink-faint md:hidden" />
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** What `/settings` itself shows: on a phone nothing but the list, elsewhere the first page. */
export function SettingsIndex() {
  const { t } = useTranslation("settings");
  usePageTitle(t("title"));
  return useMedia("(min-width: 48rem)") ? <Navigate to="/settings/profile" replace /> : null;
}
