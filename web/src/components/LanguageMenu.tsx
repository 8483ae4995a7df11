import { Languages } from "lucide-react";
import { useTranslation } from "react-i18next";
import { chooseLanguage, currentLanguage } from "../i18n/i18n.ts";
import { type Language, languageCodes, languages } from "../i18n/languages.ts";
import { showToast } from "../toasts.ts";
import { IconButton } from "./Button.tsx";
import { Menu, MenuChoices } from "./Menu.tsx";

/** A button for pages without a menu of their own. */
export function LanguageMenu() {
  const { t } = useTranslation();
  return (
    <Menu
      trigger={
        <IconButton label={t("language.label")}>
          <Languages aria-hidden className="size-4" />
        </IconButton>
      }
    >
      <LanguageChoices />
    </Menu>
  );
}

/** Turns the page to a language; says so when its texts cannot be had. */
export function useLanguageChoice(): (language: Language) => void {
  const { t } = useTranslation();
  return (language) => {
    chooseLanguage(language).catch(() => showToast("error", t("error.unreachable")));
  };
}

/** Every language by its own name, inside a Menu; the page changes at once and keeps what was typed. */
export function LanguageChoices() {
  const { t } = useTranslation();
  const choose = useLanguageChoice();
  return (
    <MenuChoices
      label={t("language.label")}
      value={currentLanguage()}
      choices={languageCodes.map((code) => ({ value: code, text: languages[code], lang: code }))}
      onChoose={choose}
    />
  );
}
