import { useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { manages } from "../../api/roles.ts";
import { sessionQuery } from "../../api/session.ts";
import { usePageTitle } from "../../components/use-page-title.ts";
import { EndSection } from "./EndSection.tsx";
import type english from "./en.json";
import { InvitationsSection } from "./InvitationsSection.tsx";
import { MailSection } from "./MailSection.tsx";
import { MembersSection } from "./MembersSection.tsx";
import { NameSection } from "./NameSection.tsx";
import { PlanSection } from "./PlanSection.tsx";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "settings/organization": typeof english;
  }
}

/** The organization that the reader acts in: its name, its people, its plan, and how it ends. */
export function OrganizationPage() {
  const { t } = useTranslation("settings/organization");
  usePageTitle(t("title"));
  const { data: session } = useSuspenseQuery(sessionQuery);
  if (!session) return null;
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4">
      <NameSection session={session} />
      <MembersSection session={session} />
      {manages(session.organization.role) && <InvitationsSection session={session} />}
      {session.organization.role === "owner" && <MailSection session={session} />}
      <PlanSection session={session} />
      <EndSection session={session} />
    </div>
  );
}
