import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { useDeleteOrganization } from "../../api/organization.ts";
import type { Session } from "../../api/session.ts";
import { Button } from "../../components/Button.tsx";
import { Dialog, DialogButtons } from "../../components/Dialog.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { Field } from "../../components/Field.tsx";
import { textOf } from "../../components/form-text.ts";
import { useFocusBack } from "../../components/use-focus-back.ts";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { showToast } from "../../toasts.ts";

/** Has the organization deleted in a week, once its name has been typed. */
export function DeleteOrganizationDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const { t } = useTranslation(["settings/organization", "shared"]);
  const deletion = useDeleteOrganization(session);
  const { form, fields, failure } = useFormErrors(deletion.error, ["name"]);
  const { name } = session.organization;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = textOf(new FormData(event.currentTarget), "name");
    const tell = () => {
      showToast("success", t("deletion.done", { name }));
      onClose();
    };
    deletion.mutate(typed, { onSuccess: tell });
  };
  return (
    <Dialog
      title={t("deletion.title", { name })}
      text={t("deletion.text")}
      onLeft={useFocusBack()}
      onClose={onClose}
    >
      <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-5">
        <FailureNotice of={failure} />
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
