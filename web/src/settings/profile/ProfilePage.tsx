import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { PASSWORD_LENGTH } from "../../../../server/src/accounts/schemas/password-length.ts";
import {
  useChangeName,
  useChangePassword,
  useChangeTimeZone,
  useRequestEmailChange,
} from "../../api/profile.ts";
import { authStateQuery, type Preferences, type Session, sessionQuery } from "../../api/session.ts";
import { Button } from "../../components/Button.tsx";
import { FailureCallout } from "../../components/Callout.tsx";
import { Section } from "../../components/Card.tsx";
import { Dialog, DialogButtons } from "../../components/Dialog.tsx";
import { Field, FieldNote, PasswordField } from "../../components/Field.tsx";
import { usePageTitle } from "../../components/PageBar.tsx";
import { textOf, useFormErrors } from "../../components/use-form-errors.ts";
import { useNow } from "../../components/use-now.ts";
import { LeaveGuard } from "../../forms/LeaveGuard.tsx";
import { Select } from "../../forms/Select.tsx";
import { browserTimeZone, formatDateTime } from "../../i18n/format.ts";
import { chooseLanguage } from "../../i18n/i18n.ts";
import { type Language, languageCodes, languages } from "../../i18n/languages.ts";
import { chooseTheme, themes } from "../../theme.ts";
import { showToast } from "../../toasts.ts";
import { SettingRow } from "../SettingRow.tsx";
import type english from "./en.json";
import { AccountName, focusEmail, focusPassword } from "./PasswordDialog.tsx";
import { SignInsCard } from "./SignInsCard.tsx";
import { TwoFactorRow } from "./TwoFactorRow.tsx";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "settings/profile": typeof english;
  }
}

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

function NameForm({ name }: { name: string }) {
  const { t } = useTranslation(["settings/profile", "shared"]);
  const [draft, setDraft] = useState(name);
  const change = useChangeName();
  const { form, fields, failure } = useFormErrors(change.error, ["name"]);
  const saved = useRef(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending) return;
    change.mutate(draft, {
      onSuccess: ({ user }) => {
        setDraft(user.name);
        showToast("success", t("name.saved"));
      },
    });
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="grid gap-3 px-4 pb-4">
      <FailureCallout of={failure} />
      <div className="flex items-start gap-3">
        <div className="min-w-0 grow">
          <Field
            name="name"
            label={t("shared:field.name")}
            hint={t("name.hint")}
            errors={fields.name}
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
            autoComplete="name"
          />
        </div>
        <Button type="submit" variant="quiet" busy={change.isPending} className="mt-6.5">
          {t("save")}
        </Button>
      </div>
      <LeaveGuard changed={draft !== name} saved={saved} />
    </form>
  );
}

interface ChangePasswordDialogProps {
  email: string;
  onClose: () => void;
}

function ChangePasswordDialog({ email, onClose }: ChangePasswordDialogProps) {
  const { t } = useTranslation("settings/profile");
  const change = useChangePassword();
  const { form, fields, failure } = useFormErrors(change.error, ["currentPassword", "password"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (change.isPending) return;
    const typed = new FormData(event.currentTarget);
    change.mutate(
      { currentPassword: textOf(typed, "currentPassword"), password: textOf(typed, "password") },
      {
        onSuccess: () => {
          showToast("success", t("password.changed"));
          onClose();
        },
      },
    );
  };
  return (
    <Dialog title={t("password.change")} text={t("password.ends")} onLeft={focusPassword} onClose={onClose}>
      <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-5">
        <FailureCallout of={failure} />
        <AccountName email={email} />
        <PasswordField
          name="currentPassword"
          label={t("password.current")}
          errors={fields.currentPassword}
          autoComplete="current-password"
          autoFocus
        />
        <PasswordField
          name="password"
          label={t("password.new")}
          hint={t("password.hint", { count: PASSWORD_LENGTH.least })}
          errors={fields.password}
          autoComplete="new-password"
        />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" busy={change.isPending}>
            {t("password.change")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

interface ChangeEmailDialogProps {
  /** The present one. */
  email: string;
  onClose: () => void;
}

/** Another address and the password; a link is mailed there, and the address changes once it is followed. */
function ChangeEmailDialog({ email, onClose }: ChangeEmailDialogProps) {
  const { t } = useTranslation(["settings/profile", "shared"]);
  const request = useRequestEmailChange();
  const { form, fields, failure } = useFormErrors(request.error, ["email", "password"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (request.isPending) return;
    const typed = new FormData(event.currentTarget);
    request.mutate({ email: textOf(typed, "email").trim(), password: textOf(typed, "password") });
  };
  if (request.data !== undefined) {
    return (
      <Dialog title={t("email.sentTitle")} onLeft={focusEmail} onClose={onClose}>
        {/* It takes the form's place, so it is read out as what is new. */}
        <p role="status" className="mt-1.5 wrap-anywhere text-ink-muted">
          {t("email.sentText", { next: request.data, email })}
        </p>
        <div className="mt-6 flex justify-end">
          <Button autoFocus onClick={onClose}>
            {t("email.done")}
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={t("email.change")} text={t("email.text")} onLeft={focusEmail} onClose={onClose}>
      <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-5">
        <FailureCallout of={failure} />
        <Field
          name="email"
          type="email"
          label={t("email.next")}
          errors={fields.email}
          autoComplete="email"
          spellCheck={false}
          autoFocus
        />
        <AccountName email={email} />
        <PasswordField
          name="password"
          label={t("shared:field.password")}
          errors={fields.password}
          autoComplete="current-password"
        />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" busy={request.isPending}>
            {t("email.send")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** Language, theme and time zone, which follow the reader to other browsers; each counts as soon as it is chosen. */
function PreferencesCard({ preferences }: { preferences: Preferences }) {
  const { t } = useTranslation(["settings/profile", "shared"]);
  const { language, theme, timeZone } = preferences;
  const speak = (code: string) => {
    chooseLanguage(code === "" ? null : (code as Language)).catch(() =>
      showToast("error", t("shared:error.unreachable")),
    );
  };
  return (
    <Section title={t("preferences.title")}>
      <p className="px-4 text-sm text-pretty text-ink-muted">{t("preferences.text")}</p>
      <div className="grid gap-x-6 gap-y-5 px-4 pt-4 pb-5 sm:grid-cols-2">
        <Choice label={t("preferences.language")}>
          {(id) => (
            <Select
              id={id}
              className="max-w-none!"
              value={language ?? ""}
              options={[
                ["", t("preferences.browser")],
                ...languageCodes.map((code) => [code, languages[code]] as const),
              ]}
              onChange={speak}
            />
          )}
        </Choice>
        <Choice label={t("preferences.theme")}>
          {(id) => (
            <Select
              id={id}
              className="max-w-none!"
              value={theme ?? "system"}
              options={themes.map((one) => [one, t(`preferences.themes.${one}`)])}
              onChange={(chosen) => chooseTheme(themes.find((one) => one === chosen) ?? "system")}
            />
          )}
        </Choice>
        <TimeZoneChoice timeZone={timeZone} />
      </div>
    </Section>
  );
}

function TimeZoneChoice({ timeZone }: { timeZone: string | null }) {
  const { t, i18n } = useTranslation("settings/profile");
  const change = useChangeTimeZone();
  const now = useNow();
  const known = Intl.supportedValuesOf("timeZone");
  // Names change with the years, and a browser may know one by another.
  const zones = timeZone === null || known.includes(timeZone) ? known : [timeZone, ...known];
  const time = formatDateTime(new Date(now).toISOString(), i18n.language);
  return (
    <Choice label={t("preferences.timeZone")}>
      {(id) => (
        <>
          <Select
            id={id}
            className="max-w-none!"
            value={timeZone ?? ""}
            aria-busy={change.isPending || undefined}
            aria-describedby={`${id}-note`}
            aria-invalid={change.error !== null || undefined}
            options={[
              ["", t("preferences.browserZone", { zone: browserTimeZone() })],
              ...zones.map((zone) => [zone, zone.replaceAll("_", " ")] as const),
            ]}
            onChange={(zone) => change.mutate(zone === "" ? null : zone)}
          />
          <FieldNote
            id={`${id}-note`}
            hint={t("preferences.now", { time })}
            errors={change.error ? [change.error.message] : []}
          />
        </>
      )}
    </Choice>
  );
}

function Choice({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="w-fit text-sm font-medium">
        {label}
      </label>
      {children(id)}
    </div>
  );
}
