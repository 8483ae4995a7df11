import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { suggestedSlugQuery, useCreateStatusPage } from "../api/status-pages.ts";
import { Button } from "../components/Button.tsx";
import { Dialog, DialogButtons } from "../components/Dialog.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Field } from "../components/Field.tsx";
import { useDebounced } from "../components/use-debounced.ts";
import { useFocusBack } from "../components/use-focus-back.ts";
import { useFormErrors } from "../components/use-form-errors.ts";
import { browserTimeZone } from "../i18n/format.ts";
import { SlugField } from "./SlugField.tsx";

/** Keys that follow each other faster are one question. */
const quietMs = 250;

/** Makes a page, and leads to its editor. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("status-pages");
  const create = useCreateStatusPage();
  const navigate = useNavigate();
  const focusBack = useFocusBack();
  const { form, fields, failure } = useFormErrors(create.error, ["name", "slug"]);
  const [name, setName] = useState("");
  /** Null: nobody has typed one, and the one that fits the name is taken. */
  const [typed, setTyped] = useState<string | null>(null);
  const settled = useDebounced(name.trim(), quietMs);
  const suggested = useQuery({ ...suggestedSlugQuery(settled), enabled: settled !== "" && typed === null });
  const slug = typed ?? (settled === "" ? "" : (suggested.data ?? ""));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(
      { name, slug, timeZone: browserTimeZone() },
      {
        onSuccess: ({ id }) => void navigate({ to: "/status-pages/$id", params: { id: String(id) } }),
      },
    );
  };
  return (
    <Dialog title={t("create.title")} text={t("create.text")} onLeft={focusBack} onClose={onClose}>
      <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-5">
        <FailureNotice of={failure} />
        <Field
          label={t("create.name")}
          hint={t("create.nameHint")}
          errors={fields.name}
          value={name}
          maxLength={255}
          autoComplete="off"
          onChange={({ target }) => setName(target.value)}
        />
        <SlugField slug={slug} isOwn={typed === null} errors={fields.slug} onChange={setTyped} />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" busy={create.isPending}>
            {t("create.submit")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
