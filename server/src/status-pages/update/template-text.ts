import type { Language } from "../../platform/i18n/languages.ts";
import { de } from "../../platform/i18n/status-pages/de.ts";
import { en } from "../../platform/i18n/status-pages/en.ts";
import { zh } from "../../platform/i18n/status-pages/zh.ts";

/** What a template can say of an incident. */
export const PLACEHOLDERS = ["components", "status", "since", "page", "minutes"] as const;
type Placeholder = (typeof PLACEHOLDERS)[number];

/** The templates that everybody has, by what they are for. */
export const BUILT_IN_TEMPLATES = [
  "investigating",
  "identified",
  "monitoring",
  "resolved",
  "maintenance",
] as const;
export type BuiltInTemplate = (typeof BUILT_IN_TEMPLATES)[number];

const TEXTS = { en, de, zh } as const;
const SLOT = /\{([\p{L}_][\p{L}\p{N}_]*)\}/gu;
/** What would mark a name, or end its line. An underscore within a word marks nothing. */
const MARK = /[\\`*[\]<>&~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
/** What would make a heading, a rule or an item of a list of the line that begins with it. */
const LINE_MARK = /^( ?\d{0,9})([-+#=.)])/;
/** What ends where a line begins: in a quote and in an item of a list, too. */
const LINE_START = /(?:^|\n)[ \t>*+\-\d.)]*$/;

/** No update is longer. */
const MAX_LENGTH = 10_000;

/** A template's text in a language, as Markdown with placeholders. */
export interface TemplateText {
  language: Language;
  /** What the update begins with, in bold; usually empty. */
  title: string;
  message: string;
}

/** The text of one that everybody has. */
export const builtInText = (template: BuiltInTemplate, language: Language): TemplateText => ({
  language,
  title: "",
  message: TEXTS[language][`draft.${template}`],
});

/** The first placeholder that there is not; undefined: it knows all. */
export const unknownPlaceholder = (text: string): string | undefined =>
  [...text.matchAll(SLOT)].map(([, name = ""]) => name).find((name) => !isPlaceholder(name));

const isPlaceholder = (name: string): name is Placeholder => PLACEHOLDERS.some((one) => one === name);

/**
 * The update that a template makes, as long as one can be. Values are text: they mark nothing, and placeholders in them are none.
 */
export function fillTemplate(
  { title, message }: TemplateText,
  values: Readonly<Record<Placeholder, string>>,
): string {
  const marked = new Map(PLACEHOLDERS.map((name) => [name, withoutMarks(values[name])]));
  const fill = (text: string) =>
    text.replace(SLOT, (slot, name: Placeholder, at: number) => {
      const value = marked.get(name) ?? slot;
      return LINE_START.test(text.slice(0, at)) ? value.replace(LINE_MARK, "$1\\$2") : value;
    });
  const filled = title.trim() === "" ? fill(message) : `**${fill(title.trim())}**\n\n${fill(message)}`;
  return filled.length > MAX_LENGTH ? `${filled.slice(0, MAX_LENGTH - 1).toWellFormed()}…` : filled;
}

const withoutMarks = (value: string): string =>
  value
    .slice(0, MAX_LENGTH + 1)
    .replace(/\s+/gu, " ")
    .replace(MARK, "\\$&");
