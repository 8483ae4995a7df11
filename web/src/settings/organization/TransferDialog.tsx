import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { membersQuery, useTransferOrganization } from "../../api/organization.ts";
import type { Session } from "../../api/session.ts";
import { Button } from "../../components/Button.tsx";
import { Dialog, DialogButtons } from "../../components/Dialog.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { PasswordField } from "../../components/Field.tsx";
import { textOf } from "../../components/form-text.ts";
import { useFocusBack } from "../../components/use-focus-back.ts";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { LabelledSelect } from "../../forms/LabelledSelect.tsx";
import { showToast } from "../../toasts.ts";

/** Makes another member an owner in the reader's place, for their password. */
export function TransferDialog({ session, onClose }: { session: Session; onClose: () => void }) {
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
    const tell = () => {
      const name = candidates.find(({ id }) => String(id) === member)?.name ?? "";
      showToast("success", t("transfer.done", { name }));
      onClose();
    };
    transfer.mutate({ member, password }, { onSuccess: tell });
  };
  return (
    <Dialog
      title={t("transfer.title", { name: session.organization.name })}
      text={t(candidates.length > 0 ? "transfer.text" : "transfer.nobody")}
      onLeft={useFocusBack()}
      onClose={onClose}
    >
      <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-5">
        <FailureNotice of={failure} />
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
