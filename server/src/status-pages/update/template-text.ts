import type { Language } from "../../platform/i18n/render.ts";
import { de } from "../../platform/i18n/status-pages/de.ts";
import { en } from "../../platform/i18n/status-pages/en.ts";
import { zh } from "../../platform/i18n/status-pages/zh.ts";

export const PLACEHOLDERS = ["components", "status", "since", "page", "minutes"] as const;
type Placeholder = (typeof PLACEHOLDERS)[number];

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
/** Would start a heading, a rule or a list item. */
const LINE_MARK = /^( ?\d{0,9})([-+#=.)])/;
/** Includes quotes and list items. */
const LINE_START = /(?:^|\n)[ \t>*+\-\d.)]*$/;

/** An update's maximum. */
const MAX_LENGTH = 10_000;

/** Markdown with placeholders. */
export interface TemplateText {
  language: Language;
  /** In bold before the text; usually empty. */
  title: string;
  message: string;
}

export const builtInText = (template: BuiltInTemplate, language: Language): TemplateText => ({
  language,
  title: "",
  message: TEXTS[language][`draft.${template}`],
});

/** Undefined: all are known. */
export const unknownPlaceholder = (text: string): string | undefined =>
  [...text.matchAll(SLOT)].map(([, name = ""]) => name).find((name) => !isPlaceholder(name));

const isPlaceholder = (name: string): name is Placeholder => PLACEHOLDERS.some((one) => one === name);

/** Cut to an update's maximum. Values are plain text: neither Markdown nor placeholders. */
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
