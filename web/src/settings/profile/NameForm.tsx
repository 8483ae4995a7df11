import { type FormEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useChangeName } from "../../api/profile.ts";
import { Button } from "../../components/Button.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { Field } from "../../components/Field.tsx";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { LeaveGuard } from "../../forms/LeaveGuard.tsx";
import { showToast } from "../../toasts.ts";

/** The reader's name. */
export function NameForm({ name }: { name: string }) {
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
      <FailureNotice of={failure} />
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
