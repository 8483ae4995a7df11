import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { ChevronsUpDown } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type Session, switchOrganization } from "../api/session.ts";
import { Logo } from "../components/BareHeader.tsx";
import { focusPage } from "../components/focus.ts";
import { Menu, MenuChoices } from "../components/Menu.tsx";
import { showToast } from "../toasts.ts";
import { RowName, rowLook } from "./NavLink.tsx";

/** Moves the reader to another of their organizations, from whose pages they begin. */
export function useOrganizationSwitch(): (id: number) => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const move = async (id: number) => {
    try {
      // What is on the page now is not there in another organization.
      await navigate({ to: "/" });
      await switchOrganization(client, id);
      focusPage();
    } catch (error) {
      showToast("error", error instanceof Error ? error.message : String(error));
    }
  };
  return (id) => void move(id);
}

/** Whose pages these are; for those who belong to several, the way to the others. */
export function OrganizationSwitcher({ session, rail }: { session: Session; rail: boolean }) {
  const { t } = useTranslation();
  const { organization, organizations } = session;
  const switchTo = useOrganizationSwitch();
  const look = `${rowLook} -mx-1 h-9 gap-1.5 font-semibold text-ink [&>svg]:size-6 ${rail ? "" : "px-1"}`;
  if (organizations.length < 2) {
    return (
      <Link
        to="/"
        aria-label={`${t("app.name")}, ${organization.name}`}
        className={`${look} aria-[current=page]:bg-transparent aria-[current=page]:font-semibold`}
      >
        <Logo />
        <RowName rail={rail}>{organization.name}</RowName>
      </Link>
    );
  }
  const trigger = (
    <button type="button" className={look}>
      <Logo />
      <span aria-hidden className="contents">
        <RowName rail={rail}>{organization.name}</RowName>
      </span>
      <span className="sr-only">{t("account.switch", { name: organization.name })}</span>
      {!rail && <ChevronsUpDown aria-hidden className="size-4! text-ink-faint" />}
    </button>
  );
  return (
    <Menu trigger={trigger} align="start">
      <MenuChoices
        label={t("account.organization")}
        value={String(organization.id)}
        choices={organizations.map(({ id, name }) => ({ value: String(id), text: name }))}
        onChoose={(id) => switchTo(Number(id))}
      />
    </Menu>
  );
}
