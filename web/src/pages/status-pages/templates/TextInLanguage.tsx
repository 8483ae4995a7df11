import type { TemplateText } from "../../../api/update-templates.ts";
import { currentLanguage } from "../../../i18n/i18n.ts";

/** What a template says, in the reader's language where it has that. */
export function TextInLanguage({ texts }: { texts: readonly TemplateText[] }) {
  const text = texts.find(({ language }) => language === currentLanguage()) ?? texts[0];
  if (!text) return null;
  return (
    <div lang={text.language} className="max-w-3xl wrap-anywhere whitespace-pre-line text-ink-muted">
      {text.title !== "" && <div className="font-medium">{text.title}</div>}
      {text.message}
    </div>
  );
}
