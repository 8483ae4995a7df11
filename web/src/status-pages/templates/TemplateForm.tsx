import { type FormEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type UpdateTemplate, useSaveTemplate } from "../../api/update-templates.ts";
import { Button } from "../../components/Button.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { Field } from "../../components/Field.tsx";
import { Section } from "../../components/Section.tsx";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { LeaveGuard } from "../../forms/LeaveGuard.tsx";
import { Tick } from "../../forms/Tick.tsx";
import { languageCodes, languages } from "../../i18n/languages.ts";
import { LanguageText } from "./LanguageText.tsx";
import { Placeholders } from "./Placeholders.tsx";
import { chooseLanguage, draftOf, inputOf, type TemplateDraft } from "./template-draft.ts";

interface TemplateFormProps {
  /** Null: it is new. */
  id: number | null;
  start: Pick<UpdateTemplate, "name" | "texts">;
  onSaved: (saved: UpdateTemplate) => void;
}

/** What a template is called, and what it says in each language. */
export function TemplateForm({ id, start, onSaved }: TemplateFormProps) {
  const { t } = useTranslation("status-pages/templates");
  const [first] = useState(() => draftOf(start));
  const [draft, setDraft] = useState(first);
  const saved = useRef(false);
  const save = useSaveTemplate(id);
  const input = inputOf(draft);
  const names = input.texts.flatMap((_, at) => [`texts.${at}.title`, `texts.${at}.message`]);
  const { form, fields, failure } = useFormErrors(save.error, ["name", ...names]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(input, {
      onSuccess: (done) => {
        saved.current = true;
        onSaved(done);
      },
    });
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="grid max-w-3xl gap-4">
      <FailureNotice of={failure} />
      <Section title={t("form.what")}>
        <div className="grid gap-5 px-4 pb-4">
          <Field
            label={t("form.name")}
            hint={t("form.nameHint")}
            maxLength={255}
            autoComplete="off"
            value={draft.name}
            {...(fields["name"] && { errors: fields["name"] })}
            onChange={({ target }) => setDraft({ ...draft, name: target.value })}
          />
          <Languages draft={draft} onChange={setDraft} />
        </div>
      </Section>
      <Placeholders />
      {input.texts.map((text, at) => (
        <LanguageText
          key={text.language}
          text={text}
          titleErrors={fields[`texts.${at}.title`]}
          messageErrors={fields[`texts.${at}.message`]}
          onChange={(change) =>
            setDraft({ ...draft, texts: { ...draft.texts, [text.language]: { ...text, ...change } } })
          }
        />
      ))}
      <Button type="submit" busy={save.isPending} className="justify-self-end">
        {t(id === null ? "form.create" : "form.save")}
      </Button>
      <LeaveGuard changed={draft !== first} saved={saved} />
    </form>
  );
}

function Languages({ draft, onChange }: { draft: TemplateDraft; onChange: (draft: TemplateDraft) => void }) {
  const { t } = useTranslation("status-pages/templates");
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-sm font-medium">{t("form.languages")}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        {languageCodes.map((code) => (
          <Tick
            key={code}
            type="checkbox"
            checked={draft.languages.includes(code)}
            onChange={(on) => onChange(chooseLanguage(draft, code, on))}
          >
            <span lang={code}>{languages[code]}</span>
          </Tick>
        ))}
      </div>
    </fieldset>
  );
}
