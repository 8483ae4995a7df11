import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { BookOpen, Keyboard, LogOut } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type Session, signOut } from "../api/session.ts";
import { LanguageChoices } from "../components/LanguageMenu.tsx";
import { Menu, MenuItem, MenuLabel, MenuLink, MenuNote } from "../components/Menu.tsx";
import { ThemeChoices } from "../components/ThemeToggle.tsx";
import { apiPaths } from "../paths.ts";
import { showToast } from "../toasts.ts";
import { RowName, rowLook } from "./NavLink.tsx";
import { showShortcuts } from "./use-frame-shortcuts.ts";

export function useSignOut(): () => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const leave = async () => {
    try {
      await signOut(client);
      await navigate({ to: "/sign-in" });
    } catch (error) {
      showToast("error", error instanceof Error ? error.message : String(error));
    }
  };
  return () => void leave();
}

/** Who is signed in, how the app looks and speaks to them, and the way out. */
export function AccountMenu({ session, rail }: { session: Session; rail: boolean }) {
  const { t } = useTranslation();
  const leave = useSignOut();
  const { name, email } = session.user;
  const shown = name || email;
  const trigger = (
    <button type="button" className={`${rowLook} ${rail ? "justify-center px-0" : ""}`}>
      <span
        aria-hidden
        className={`grid size-6 shrink-0 place-items-center rounded-full border border-line-strong bg-surface text-xs font-medium text-ink ${rail ? "" : "-mx-1"}`}
      >
        {initials(shown)}
      </span>
      <span aria-hidden className="contents">
        <RowName rail={rail}>{shown}</RowName>
      </span>
      <span className="sr-only">{t("account.menu", { name: shown })}</span>
    </button>
  );
  return (
    <Menu trigger={trigger} side={rail ? "right" : "top"} align={rail ? "end" : "start"}>
      <MenuLabel>
        <div className="truncate font-medium">{name}</div>
        <div className="truncate text-xs text-ink-faint">{email}</div>
      </MenuLabel>
      <MenuItem icon={<Keyboard aria-hidden />} onSelect={showShortcuts}>
        {t("shortcuts.title")}
      </MenuItem>
      <MenuLink icon={<BookOpen aria-hidden />} href={apiPaths.docs}>
        {t("account.docs")}
      </MenuLink>
      <ThemeChoices />
      <LanguageChoices />
      <MenuItem icon={<LogOut aria-hidden />} onSelect={leave}>
        {t("account.signOut")}
      </MenuItem>
      <MenuNote>{t("account.version", { version: VEDETTE_VERSION })}</MenuNote>
    </Menu>
  );
}

/** The first letters of the first and the last word. */
function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const first = words[0]?.[0] ?? "";
  const last = words.length > 1 ? (words.at(-1)?.[0] ?? "") : "";
  return (first + last).toUpperCase();
}
