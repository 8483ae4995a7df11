import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate } from "@tanstack/react-router";
import { LogOut, Settings } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { startLive } from "../api/live.ts";
import { type Session, sessionQuery, signOut, switchOrganization } from "../api/session.ts";
import { focusPage } from "./focus-page.ts";
import { LanguageChoices } from "./LanguageMenu.tsx";
import { LiveIndicator } from "./LiveIndicator.tsx";
import { Logo } from "./Logo.tsx";
import { Menu, MenuChoices, MenuItem, MenuLabel } from "./Menu.tsx";
import { InsideFrame } from "./PageMessage.tsx";
import { ThemeToggle } from "./ThemeToggle.tsx";
import { showToast } from "./toasts.ts";

/** The frame of every page behind the sign-in. The live stream runs as long as it stands. */
export function AppLayout() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data: session } = useSuspenseQuery(sessionQuery);
  // Another organization has another stream.
  const organizationId = session?.organization.id;
  useEffect(() => (organizationId === undefined ? undefined : startLive(client)), [client, organizationId]);
  return (
    <div className="min-h-dvh">
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-raised px-3 py-2 font-medium shadow-float focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t("app.skip")}
      </a>
      <header className="sticky top-0 z-20 border-b border-line bg-page/85 backdrop-blur-md">
        <div className="mx-auto flex h-14 max-w-6xl items-center gap-1 px-4 sm:px-6">
          <Link
            to="/"
            aria-label={t("app.name")}
            className="mr-2 flex shrink-0 items-center gap-2.5 rounded-md font-semibold"
          >
            <Logo />
            <span className="max-sm:hidden">{t("app.name")}</span>
          </Link>
          {session && (
            <span className="flex min-w-0 items-center gap-2 text-ink-muted max-sm:hidden">
              <span aria-hidden className="text-line-strong">
                /
              </span>
              <span className="truncate">{session.organization.name}</span>
            </span>
          )}
          <Navigation />
          <div className="ml-auto flex shrink-0 items-center gap-1">
            <LiveIndicator />
            <ThemeToggle />
            {session && <AccountMenu session={session} />}
          </div>
        </div>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="relative mx-auto max-w-6xl px-4 pt-6 pb-24 outline-none sm:px-6 sm:pt-8"
      >
        <InsideFrame value={true}>
          {/* Nothing that a page remembers of one organization holds in another. */}
          <Outlet key={organizationId} />
        </InsideFrame>
      </main>
    </div>
  );
}

function Navigation() {
  const { t } = useTranslation();
  const look =
    "shrink-0 rounded-md px-2.5 py-1.5 text-sm text-ink-muted transition-colors focus-visible:-outline-offset-2 max-sm:px-1.5 hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:text-ink";
  return (
    <nav
      aria-label={t("app.mainNavigation")}
      className="flex min-w-0 gap-0.5 overflow-x-auto [scrollbar-width:none] sm:ml-3 sm:shrink-0"
    >
      <Link to="/" activeOptions={{ exact: true }} className={look}>
        {t("app.overview")}
      </Link>
      <Link to="/domains" className={look}>
        {t("app.domains")}
      </Link>
      <Link to="/services" className={look}>
        {t("app.services")}
      </Link>
    </nav>
  );
}

function AccountMenu({ session }: { session: Session }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { name, email } = session.user;
  const leave = async () => {
    try {
      await signOut(client);
      await navigate({ to: "/sign-in" });
    } catch (error) {
      showToast("error", error instanceof Error ? error.message : String(error));
    }
  };
  const trigger = (
    <button
      type="button"
      className="ml-1 grid size-8 place-items-center rounded-full border border-line-strong bg-surface text-xs font-medium text-ink transition-colors hover:bg-hover"
    >
      <span aria-hidden>{initials(name || email)}</span>
      <span className="sr-only">{t("account.menu", { name: name || email })}</span>
    </button>
  );
  return (
    <Menu trigger={trigger}>
      <MenuLabel>
        <div className="truncate font-medium">{name}</div>
        <div className="truncate text-xs text-ink-faint">{email}</div>
        <div className="mt-0.5 truncate text-xs text-ink-faint sm:hidden">{session.organization.name}</div>
      </MenuLabel>
      <MenuItem icon={<Settings aria-hidden />} onSelect={() => void navigate({ to: "/settings" })}>
        {t("account.settings")}
      </MenuItem>
      <OrganizationChoices session={session} />
      <LanguageChoices />
      <MenuItem icon={<LogOut aria-hidden />} onSelect={() => void leave()}>
        {t("account.signOut")}
      </MenuItem>
    </Menu>
  );
}

/** Where else the person belongs; nothing for those of one organization. */
function OrganizationChoices({ session: { organization, organizations } }: { session: Session }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  if (organizations.length < 2) return null;
  const choose = async (id: string) => {
    try {
      // What is on the page now is not there in another organization.
      await navigate({ to: "/" });
      await switchOrganization(client, Number(id));
      focusPage();
    } catch (error) {
      showToast("error", error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <MenuChoices
      label={t("account.organization")}
      value={String(organization.id)}
      choices={organizations.map(({ id, name }) => ({ value: String(id), text: name }))}
      onChoose={(id) => void choose(id)}
    />
  );
}

/** The first letters of the first and the last word. */
function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const first = words[0]?.[0] ?? "";
  const last = words.length > 1 ? (words.at(-1)?.[0] ?? "") : "";
  return (first + last).toUpperCase();
}
