import type { TemplateText } from "../../api/update-templates.ts";
import { inReadersLanguage } from "../../i18n/in-readers-language.ts";

/** What a template says, in the reader's language where it has that. */
export function TextInLanguage({ texts }: { texts: readonly TemplateText[] }) {
  const text = inReadersLanguage(texts);
  if (!text) return null;
  return (
    <div lang={text.language} className="max-w-3xl wrap-anywhere whitespace-pre-line text-ink-muted">
      {text.title !== "" && <div className="font-medium">{text.title}</div>}
      {text.message}
    </div>
  );
}
