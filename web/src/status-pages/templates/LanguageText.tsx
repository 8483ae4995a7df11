import { useTranslation } from "react-i18next";
import { fillTemplate } from "../../../../server/src/page/update/template-text.ts";
import { zoneLast } from "../../../../server/src/texts/formats.ts";
import { de } from "../../../../server/src/texts/status-pages/de.ts";
import { en } from "../../../../server/src/texts/status-pages/en.ts";
import { zh } from "../../../../server/src/texts/status-pages/zh.ts";
import type { TemplateText } from "../../api/update-templates.ts";
import { Field } from "../../components/Field.tsx";
import { MarkdownText } from "../../components/markdown/MarkdownText.tsx";
import { Section } from "../../components/Section.tsx";
import { TextArea } from "../../components/TextArea.tsx";
import { useNow } from "../../components/use-now.ts";
import { currentTimeZone } from "../../i18n/format.ts";
import { languages } from "../../i18n/languages.ts";

const pageTexts = { en, de, zh };

interface LanguageTextProps {
  text: TemplateText;
  titleErrors: string[] | undefined;
  messageErrors: string[] | undefined;
  onChange: (change: Partial<TemplateText>) => void;
}

/** What a template says in one language, and what becomes of it. */
export function LanguageText({ text, titleErrors, messageErrors, onChange }: LanguageTextProps) {
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
