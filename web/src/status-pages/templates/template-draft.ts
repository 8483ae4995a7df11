import type { TemplateText, UpdateTemplate } from "../../api/update-templates.ts";
import { type Language, languageCodes } from "../../i18n/languages.ts";

/** What stands in a template's form. */
export interface TemplateDraft {
  name: string;
  /** In which it says something. */
  languages: readonly Language[];
  /** In each; of a language that was cleared, too, as long as the form stands. */
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

/** As the API takes it. */
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
