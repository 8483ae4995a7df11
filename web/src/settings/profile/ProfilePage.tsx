import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { authStateQuery, type Session, sessionQuery } from "../../api/session.ts";
import { Button } from "../../components/Button.tsx";
import { Section } from "../../components/Section.tsx";
import { usePageTitle } from "../../components/use-page-title.ts";
import { SettingRow } from "../SettingRow.tsx";
import { ChangeEmailDialog } from "./ChangeEmailDialog.tsx";
import { ChangePasswordDialog } from "./ChangePasswordDialog.tsx";
import type english from "./en.json";
import { NameForm } from "./NameForm.tsx";
import { PreferencesCard } from "./PreferencesCard.tsx";
import { SignInsCard } from "./SignInsCard.tsx";
import { TwoFactorRow } from "./TwoFactorRow.tsx";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "settings/profile": typeof english;
  }
}

/** The reader's own account: who they are, how they sign in, and how the app looks and speaks to them. */
export function ProfilePage() {
  const { t } = useTranslation("settings/profile");
  usePageTitle(t("title"));
  const { data: session } = useSuspenseQuery(sessionQuery);
  return <div className="grid max-w-3xl gap-4">{session && <Cards user={session.user} />}</div>;
}

function PasswordText() {
  const { t } = useTranslation("settings/profile");
  return (
    <>
      {t("password.ends")}{" "}
      <Link to="/settings/api-keys" className="rounded-sm underline underline-offset-4 hover:text-ink">
        {t("password.keys")}
      </Link>
    </>
  );
}

function Cards({ user }: { user: Session["user"] }) {
  const { t } = useTranslation("settings/profile");
  const [changing, setChanging] = useState<"email" | "password" | null>(null);
  const { data: server } = useQuery(authStateQuery);
  const close = () => setChanging(null);
  return (
    <>
      <Section title={t("name.title")}>
        <NameForm name={user.name} />
      </Section>
      <Section title={t("signIn.title")}>
        <div>
          <SettingRow
            title={t("email.title")}
            text={server?.mail === false ? `${user.email} · ${t("email.noMail")}` : user.email}
          >
            {server?.mail && (
              <Button variant="quiet" data-opens="email" onClick={() => setChanging("email")}>
                {t("email.change")}
              </Button>
            )}
          </SettingRow>
          <SettingRow title={t("password.title")} text={<PasswordText />}>
            <Button variant="quiet" data-opens="password" onClick={() => setChanging("password")}>
              {t("password.change")}
            </Button>
          </SettingRow>
          <TwoFactorRow email={user.email} />
        </div>
        {changing === "email" && <ChangeEmailDialog email={user.email} onClose={close} />}
        {changing === "password" && <ChangePasswordDialog email={user.email} onClose={close} />}
      </Section>
      <PreferencesCard preferences={user} />
      <SignInsCard />
    </>
  );
}
