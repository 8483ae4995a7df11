import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Circle, CircleCheck, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { usageQuery } from "../../api/organization.ts";
import { manages } from "../../api/roles.ts";
import { type Session, sessionQuery } from "../../api/session.ts";
import { IconButton } from "../../components/Button.tsx";
import { focusPage } from "../../components/focus-page.ts";
import { Section } from "../../components/Section.tsx";

/** What is left to do in a new organization, until it is done or hidden; for those who run it. */
export function FirstStepsCard() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  if (!session || !manages(session.organization.role)) return null;
  return <FirstSteps key={session.organization.id} organization={session.organization} />;
}

function FirstSteps({ organization: { id } }: Pick<Session, "organization">) {
  const { t } = useTranslation("overview");
  const storageKey = `vedette.first-steps.${id}`;
  const [isHidden, setHidden] = useState(() => isKept(storageKey));
  const { data: usage } = useQuery({ ...usageQuery(id), enabled: !isHidden });
  const isAlone = usage?.members.used === 1 && usage.invitations.used === 0;
  if (isHidden || !isAlone) return null;
  const hide = () => {
    keep(storageKey);
    setHidden(true);
    focusPage();
  };
  return (
    <Section
      title={t("firstSteps.title")}
      aside={
        <IconButton label={t("firstSteps.hide")} onClick={hide} className="-mr-2">
          <X aria-hidden className="size-4" />
        </IconButton>
      }
    >
      <ul className="grid gap-2.5 px-4 pt-1 pb-4 text-sm">
        <li className="flex gap-2.5 text-ink-muted">
          <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-up" />
          <span>
            {t("firstSteps.watch")} <span className="sr-only">{t("firstSteps.done")}</span>
          </span>
        </li>
        <li className="flex gap-2.5">
          <Circle aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-faint" />
          <div className="min-w-0">
            <Link
              to="/settings/organization"
              className="rounded-sm font-medium underline-offset-4 hover:underline"
            >
              {t("firstSteps.invite")}
            </Link>
            <p className="text-pretty text-ink-muted">{t("firstSteps.inviteText")}</p>
          </div>
        </li>
      </ul>
    </Section>
  );
}

function isKept(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

function keep(key: string): void {
  try {
    localStorage.setItem(key, "hidden");
  } catch {
    // Storage is blocked: hidden until the page is left.
  }
}
