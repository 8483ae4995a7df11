import { type FormEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { zoneLast } from "../../../../server/src/platform/i18n/render.ts";
import { de } from "../../../../server/src/platform/i18n/status-pages/de.ts";
import { en } from "../../../../server/src/platform/i18n/status-pages/en.ts";
import { zh } from "../../../../server/src/platform/i18n/status-pages/zh.ts";
import { fillTemplate, PLACEHOLDERS } from "../../../../server/src/status-pages/update/template-text.ts";
import { type TemplateText, type UpdateTemplate, useSaveTemplate } from "../../api/update-templates.ts";
import { Button } from "../../components/Button.tsx";
import { FailureCallout } from "../../components/Callout.tsx";
import { Section } from "../../components/Card.tsx";
import { Field, TextArea } from "../../components/Field.tsx";
import { MarkdownText } from "../../components/markdown/MarkdownText.tsx";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { useNow } from "../../components/use-now.ts";
import { LeaveGuard } from "../../forms/LeaveGuard.tsx";
import { Tick } from "../../forms/Tick.tsx";
import { currentTimeZone } from "../../i18n/format.ts";
import { type Language, languageCodes, languages } from "../../i18n/languages.ts";

interface TemplateFormProps {
  /** Null: it is new. */
  id: number | null;
  start: Pick<UpdateTemplate, "name" | "texts">;
  onSaved: (saved: UpdateTemplate) => void;
}

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
      <FailureCallout of={failure} />
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

/** The placeholders of a template for what differs from incident to incident. */
function Placeholders() {
  const { t } = useTranslation("status-pages/templates");
  return (
    <Section title={t("placeholders.title")}>
      <dl className="grid gap-x-4 gap-y-1.5 px-4 pb-4 text-sm sm:grid-cols-[max-content_minmax(0,1fr)]">
        {PLACEHOLDERS.map((name) => (
          <div key={name} className="contents">
            <dt>
              <code className="rounded-xs bg-hover px-1 py-0.5 text-xs">{`{${name}}`}</code>
            </dt>
            <dd className="text-ink-muted max-sm:mb-1.5">{t(`placeholders.${name}`)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

const pageTexts = { en, de, zh };

interface LanguageTextProps {
  text: TemplateText;
  titleErrors: string[] | undefined;
  messageErrors: string[] | undefined;
  onChange: (change: Partial<TemplateText>) => void;
}

/** What a template says in one language, and what becomes of it. */
function LanguageText({ text, titleErrors, messageErrors, onChange }: LanguageTextProps) {
  const { t } = useTranslation("status-pages/templates");
  const { language, title, message } = text;
  return (
    <Section title={languages[language]}>
      <div className="grid gap-5 px-4 pb-4">
        <Field
          label={t("form.title")}
          hint={t("form.titleHint")}
          optional
          lang={language}
          maxLength={255}
          autoComplete="off"
          value={title}
          {...(titleErrors && { errors: titleErrors })}
          onChange={({ target }) => onChange({ title: target.value })}
        />
        <TextArea
          label={t("form.message")}
          hint={t("form.messageHint")}
          lang={language}
          rows={4}
          maxLength={4_000}
          value={message}
          errors={messageErrors}
          onChange={({ target }) => onChange({ message: target.value })}
        />
        {message.trim() !== "" && <Sample text={text} />}
      </div>
    </Section>
  );
}

/** What visitors would read of an example. */
function Sample({ text }: { text: TemplateText }) {
  const { t } = useTranslation("status-pages/templates");
  const now = useNow();
  const { language } = text;
  const time = new Intl.DateTimeFormat(language, {
    ...{ month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
    ...{ timeZone: currentTimeZone(), timeZoneName: "short" },
  });
  const filled = fillTemplate(text, {
    components: t("sample.component"),
    status: pageTexts[language]["stage.investigating"],
    since: zoneLast(time, now),
    page: t("sample.page"),
    minutes: "30",
  });
  return (
    <div className="grid gap-1.5">
      <p className="text-sm font-medium">{t("sample.title")}</p>
      <div lang={language} className="rounded-md bg-hover px-3 py-2.5">
        <MarkdownText text={filled} asOnPages />
      </div>
    </div>
  );
}

interface TemplateDraft {
  name: string;
  /** In which it says something. */
  languages: readonly Language[];
  /** In each; also in a language that was cleared, as long as the form is open. */
  texts: Readonly<Record<Language, Words>>;
}

type Words = Pick<TemplateText, "title" | "message">;

const noWords: Words = { title: "", message: "" };

/** The form of a template as it is, or with nothing in it but texts to begin with. */
export function draftOf({ name, texts }: Pick<UpdateTemplate, "name" | "texts">): TemplateDraft {
  const of = (code: Language): Words => texts.find(({ language }) => language === code) ?? noWords;
  return {
    name,
    languages: languageCodes.filter((code) => texts.some(({ language }) => language === code)),
    texts: { en: of("en"), de: of("de"), zh: of("zh") },
  };
}

/** The draft after a language was ticked or cleared; the last one stays. */
export function chooseLanguage(draft: TemplateDraft, code: Language, on: boolean): TemplateDraft {
  const chosen = languageCodes.filter((one) => (one === code ? on : draft.languages.includes(one)));
  return chosen.length === 0 ? draft : { ...draft, languages: chosen };
}

export const inputOf = ({
  name,
  languages,
  texts,
}: TemplateDraft): Pick<UpdateTemplate, "name" | "texts"> => ({
  name,
  texts: languages.map((language) => ({
    language,
    title: texts[language].title,
    message: texts[language].message,
  })),
});
