import { useTranslation } from "react-i18next";
import type { AssistantCall } from "../../api/assistant.ts";
import type english from "./tools/en.json";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "frame/assistant/tools": typeof english;
  }
}

/** What tools do and what their fields are, in the reader's language. */
export function useToolTexts() {
  const { t, i18n } = useTranslation("frame/assistant/tools");
  const isKnown = (key: string) => i18n.exists(`frame/assistant/tools:${key}`);
  return {
    /** `lang`: of a title that only the server has. */
    titleOf({ tool, title }: Pick<AssistantCall, "tool" | "title">): { text: string; lang?: "en" } {
      const key = `title.${tool}`;
      return isKnown(key) ? { text: t(key as "title.search") } : { text: title, lang: "en" };
    },
    /** Null: it has no other name than the API's, or that says as much. */
    labelOf(field: string): string | null {
      const key = `field.${field}`;
      const label = isKnown(key) ? t(key as "field.name") : field;
      return label.toLowerCase() === field.toLowerCase() ? null : label;
    },
  };
}
