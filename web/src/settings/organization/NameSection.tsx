import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { useRenameOrganization } from "../../api/organization.ts";
import { manages } from "../../api/roles.ts";
import type { Session } from "../../api/session.ts";
import { Button } from "../../components/Button.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { Field } from "../../components/Field.tsx";
import { textOf } from "../../components/form-text.ts";
import { Section } from "../../components/Section.tsx";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { showToast } from "../../toasts.ts";

/** The name, which those who run the organization may change. */
export function NameSection({ session }: { session: Session }) {
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
      <FailureNotice of={failure} />
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
