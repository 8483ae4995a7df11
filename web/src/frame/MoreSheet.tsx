import { Link } from "@tanstack/react-router";
import { Bell, BookOpen, LogOut, MessagesSquare } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
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
import { UnreadCount } from "./Bell.tsx";
import { barEntries, entries } from "./entries.ts";
import { useOrganizationSwitch } from "./OrganizationSwitcher.tsx";
import { Sheet } from "./Sheet.tsx";

interface MoreSheetProps {
  session: Session;
  unread: number;
  onNotices: () => void;
  onClose: () => void;
}

const row =
  "flex h-12 w-full items-center gap-3 px-4 text-left focus-visible:-outline-offset-2 [&>svg]:size-5 [&>svg]:text-ink-faint";

/** What a phone's bar has no room for. */
export function MoreSheet({ session, unread, onNotices, onClose }: MoreSheetProps) {
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
        <button type="button" onClick={onNotices} className={row}>
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
