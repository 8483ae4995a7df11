import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { mailSettingsQuery, useSendTestMail } from "../../api/mail.ts";
import {
  membersQuery,
  useDeleteOrganization,
  useLeaveOrganization,
  useRenameOrganization,
  useTransferOrganization,
} from "../../api/organization.ts";
import { manages } from "../../api/roles.ts";
import { type Session, sessionQuery } from "../../api/session.ts";
import { Button } from "../../components/Button.tsx";
import { Callout, FailureCallout } from "../../components/Callout.tsx";
import { Section } from "../../components/Card.tsx";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { Dialog, DialogButtons } from "../../components/Dialog.tsx";
import { Field, PasswordField } from "../../components/Field.tsx";
import { useFocusBack } from "../../components/focus.ts";
import { Loaded, Skeleton } from "../../components/Loaded.tsx";
import { usePageTitle } from "../../components/PageBar.tsx";
import { textOf, useFormErrors } from "../../components/use-form-errors.ts";
import { LabelledSelect } from "../../forms/LabelledSelect.tsx";
import { apiPaths } from "../../paths.ts";
import { showToast } from "../../toasts.ts";
import { SettingRow } from "../SettingRow.tsx";
import type english from "./en.json";
import { InvitationsSection } from "./InvitationsSection.tsx";
import { MembersSection } from "./MembersSection.tsx";
import { PlanSection } from "./PlanSection.tsx";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "settings/organization": typeof english;
  }
}

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

type Step = "transfer" | "leave" | "delete";

function EndSection({ session }: { session: Session }) {
  const { t } = useTranslation("settings/organization");
  const [step, setStep] = useState<Step | null>(null);
  const { organization, organizations } = session;
  const isOwner = organization.role === "owner";
  const belongsElsewhere = organizations.some(
    ({ id, deletesAt }) => id !== organization.id && deletesAt === null,
  );
  const close = () => setStep(null);
  const opens = (name: Step) => (
    <Button variant="quiet" onClick={() => setStep(name)}>
      {t(`end.${name}`)}
    </Button>
  );
  return (
    <Section title={t("end.title")}>
      {isOwner && (
        <SettingRow title={t("end.transfer")} text={t("end.transferText")}>
          {opens("transfer")}
        </SettingRow>
      )}
      <SettingRow title={t("end.leave")} text={t(belongsElsewhere ? "end.leaveText" : "end.onlyOne")}>
        {belongsElsewhere && opens("leave")}
      </SettingRow>
      {isOwner && organization.deletesAt === null && (
        <SettingRow
          title={t("end.delete")}
          text={t(belongsElsewhere ? "end.deleteText" : "end.onlyOneToDelete")}
        >
          {belongsElsewhere && opens("delete")}
        </SettingRow>
      )}
      {step === "transfer" && <TransferDialog session={session} onClose={close} />}
      {step === "leave" && <LeaveDialog session={session} onClose={close} />}
      {step === "delete" && <DeleteOrganizationDialog session={session} onClose={close} />}
    </Section>
  );
}

/** Confirms, leaves, and goes on in another organization. */
function LeaveDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const { t } = useTranslation("settings/organization");
  const navigate = useNavigate();
  const { name } = session.organization;
  const leaving = useLeaveOrganization(session, async () => {
    showToast("success", t("leaving.done", { name }));
    onClose();
    await navigate({ to: "/" });
  });
  return (
    <ConfirmDialog
      title={t("leaving.title", { name })}
      text={t("leaving.text")}
      submitLabel={t("leaving.submit")}
      busy={leaving.isPending}
      error={leaving.error}
      onConfirm={() => leaving.mutate()}
      onCancel={onClose}
      onLeft={useFocusBack()}
    />
  );
}

/** Has the organization deleted in a week, once its name has been typed. */
function DeleteOrganizationDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const { t } = useTranslation(["settings/organization", "shared"]);
  const deletion = useDeleteOrganization(session);
  const { form, fields, failure } = useFormErrors(deletion.error, ["name"]);
  const { name } = session.organization;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = textOf(new FormData(event.currentTarget), "name");
    const confirmDone = () => {
      showToast("success", t("deletion.done", { name }));
      onClose();
    };
    deletion.mutate(typed, { onSuccess: confirmDone });
  };
  return (
    <Dialog
      title={t("deletion.title", { name })}
      text={t("deletion.text")}
      onLeft={useFocusBack()}
      onClose={onClose}
    >
      <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-5">
        <FailureCallout of={failure} />
        <Field
          name="name"
          label={t("deletion.name", { name })}
          errors={fields.name}
          autoComplete="off"
          spellCheck={false}
          autoFocus
        />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" variant="danger" busy={deletion.isPending}>
            {t("deletion.submit")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** The name, which those who run the organization may change. */
function NameSection({ session }: { session: Session }) {
  const { t } = useTranslation("settings/organization");
  const { name, slug, role } = session.organization;
  return (
    <Section title={t("name.title")}>
      <div className="px-4 pb-4">
        {manages(role) ? <NameForm session={session} /> : <p className="font-medium wrap-anywhere">{name}</p>}
        <p className="mt-2 text-sm wrap-anywhere text-ink-faint">{t("name.slug", { slug })}</p>
      </div>
    </Section>
  );
}

function NameForm({ session }: { session: Session }) {
  const { t } = useTranslation(["settings/organization", "shared"]);
  const renaming = useRenameOrganization(session);
  const { form, fields, failure } = useFormErrors(renaming.error, ["name"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = textOf(new FormData(event.currentTarget), "name");
    renaming.mutate(name, { onSuccess: () => showToast("success", t("name.saved")) });
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="grid gap-3">
      <FailureCallout of={failure} />
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 max-w-sm grow basis-56">
          <Field
            name="name"
            label={t("name.label")}
            defaultValue={session.organization.name}
            errors={fields.name}
            autoComplete="organization"
          />
        </div>
        <Button type="submit" busy={renaming.isPending} className="mt-6.5">
          {t("save")}
        </Button>
      </div>
    </form>
  );
}

/** Makes another member an owner in the reader's place, for their password. */
function TransferDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const { t } = useTranslation(["settings/organization", "shared"]);
  const transfer = useTransferOrganization(session);
  const members = useQuery(membersQuery(session.organization.id)).data ?? [];
  const candidates = members.filter(({ role }) => role !== "owner");
  const [chosen, setChosen] = useState<string>();
  const member = chosen ?? String(candidates[0]?.id ?? "");
  const { form, fields, failure } = useFormErrors(transfer.error, ["member", "password"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = textOf(new FormData(event.currentTarget), "password");
    const confirmDone = () => {
      const name = candidates.find(({ id }) => String(id) === member)?.name ?? "";
      showToast("success", t("transfer.done", { name }));
      onClose();
    };
    transfer.mutate({ member, password }, { onSuccess: confirmDone });
  };
  return (
    <Dialog
      title={t("transfer.title", { name: session.organization.name })}
      text={t(candidates.length > 0 ? "transfer.text" : "transfer.noCandidates")}
      onLeft={useFocusBack()}
      onClose={onClose}
    >
      <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-5">
        <FailureCallout of={failure} />
        {candidates.length > 0 && (
          <>
            <LabelledSelect
              label={t("transfer.to")}
              value={member}
              errors={fields.member}
              options={candidates.map(({ id, name, email }) => [String(id), `${name} (${email})`])}
              onChange={setChosen}
            />
            <PasswordField
              name="password"
              label={t("transfer.password")}
              errors={fields.password}
              autoComplete="current-password"
            />
          </>
        )}
        <DialogButtons onCancel={onClose}>
          {candidates.length > 0 && (
            <Button type="submit" variant="danger" busy={transfer.isPending}>
              {t("transfer.submit")}
            </Button>
          )}
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** What mail is sent by, and whether it works; for owners. */
function MailSection({ session }: { session: Session }) {
  const { t } = useTranslation("settings/organization");
  const query = useQuery(mailSettingsQuery);
  const loading = (
    <div className="px-4 pb-4">
      <Skeleton className="my-2 h-12 w-full" />
    </div>
  );
  return (
    <Section title={t("mail.title")}>
      <Loaded of={query} failed={t("mail.failed")} loading={loading}>
        {({ server, sender, links }) => (
          <>
            {server === null ? (
              <SettingRow title={t("mail.off")} text={<HowTo text={t("mail.offText")} />} />
            ) : (
              <TestMail title={server} sender={sender ?? ""} to={session.user.email} />
            )}
            {server !== null && !links && (
              <SettingRow title={t("mail.noLinks")} text={<HowTo text={t("mail.noLinksText")} />} />
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** The server and sender, and a button that tries them; the server's answer is shown beneath. */
function TestMail({ title, sender, to }: { title: string; sender: string; to: string }) {
  const { t } = useTranslation("settings/organization");
  const test = useSendTestMail();
  const { data, error } = test;
  const failure = error?.message ?? (data && !data.accepted ? data.answer : undefined);
  return (
    <>
      <SettingRow title={title} text={t("mail.sender", { sender })}>
        <Button
          variant="quiet"
          busy={test.isPending}
          onClick={() => test.mutate()}
          className="h-auto! min-h-9 max-w-full py-1.5 whitespace-normal! wrap-anywhere"
        >
          {t("mail.test", { email: to })}
        </Button>
      </SettingRow>
      {!test.isPending && (data || failure !== undefined) && (
        <div className="px-4 pb-4 wrap-anywhere">
          {failure === undefined ? (
            <Callout tone="info">
              {t("mail.accepted", { email: data?.to })} {data?.answer}
            </Callout>
          ) : (
            <Callout tone="error">{failure}</Callout>
          )}
        </div>
      )}
    </>
  );
}

function HowTo({ text }: { text: string }) {
  const { t } = useTranslation("settings/organization");
  return (
    <>
      {text}{" "}
      <a
        href={apiPaths.mailDocs}
        target="_blank"
        rel="noreferrer"
        className="rounded-sm text-ink underline underline-offset-4"
      >
        {t("mail.docs")}
      </a>
    </>
  );
}
