import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Circle, CircleCheck, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { channelsQuery } from "../api/channels.ts";
import { usageQuery } from "../api/organization.ts";
import { manages } from "../api/roles.ts";
import { type Session, sessionQuery } from "../api/session.ts";
import { IconButton } from "../components/Button.tsx";
import { Section } from "../components/Card.tsx";
import { focusPage } from "../components/focus.ts";

/** What is left to do in a new organization, until it is done or hidden; for those who run it. */
export function FirstStepsCard() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  if (!session || !manages(session.organization.role)) return null;
  return <FirstSteps key={session.organization.id} organization={session.organization} />;
}

function FirstSteps({ organization: { id } }: Pick<Session, "organization">) {
  const { t } = useTranslation("overview");
  const storageKey = `vedette.first-steps.${id}`;
  const [isHidden, setHidden] = useState(() => isStored(storageKey));
  const { data: usage } = useQuery({ ...usageQuery(id), enabled: !isHidden });
  const isAlone = usage?.members.used === 1 && usage.invitations.used === 0;
  const { data: channels } = useQuery({ ...channelsQuery, enabled: !isHidden });
  const isSilent = channels?.length === 0;
  if (isHidden || !usage || !channels || !(isAlone || isSilent)) return null;
  const hide = () => {
    keep(storageKey);
    setHidden(true);
    focusPage();
  };
  return (
    <Section
      title={t("firstSteps.title")}
      trailing={
        <IconButton label={t("firstSteps.hide")} onClick={hide} className="-mr-2">
          <X aria-hidden className="size-4" />
        </IconButton>
      }
    >
      <ul className="grid gap-2.5 px-4 pt-1 pb-4 text-sm">
        <DoneStep>{t("firstSteps.watch")}</DoneStep>
        {isSilent ? (
          <OpenStep to="/settings/channels" name={t("firstSteps.channel")}>
            {t("firstSteps.channelText")}
          </OpenStep>
        ) : (
          <DoneStep>{t("firstSteps.channel")}</DoneStep>
        )}
        {isAlone ? (
          <OpenStep to="/settings/organization" name={t("firstSteps.invite")}>
            {t("firstSteps.inviteText")}
          </OpenStep>
        ) : (
          <DoneStep>{t("firstSteps.invite")}</DoneStep>
        )}
      </ul>
    </Section>
  );
}

function DoneStep({ children }: { children: ReactNode }) {
  const { t } = useTranslation("overview");
  return (
    <li className="flex gap-2.5 text-ink-muted">
      <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-up" />
      <span>
        {children} <span className="sr-only">{t("firstSteps.done")}</span>
      </span>
    </li>
  );
}

interface OpenStepProps {
  to: "/settings/channels" | "/settings/organization";
  name: string;
  /** Why. */
  children: ReactNode;
}

function OpenStep({ to, name, children }: OpenStepProps) {
  return (
    <li className="flex gap-2.5">
      <Circle aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-faint" />
      <div className="min-w-0">
        <Link to={to} className="rounded-sm font-medium underline-offset-4 hover:underline">
          {name}
        </Link>
        <p className="text-pretty text-ink-muted">{children}</p>
      </div>
    </li>
  );
}

function isStored(key: string): boolean {
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
