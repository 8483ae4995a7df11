import { Languages } from "lucide-react";
import { useTranslation } from "react-i18next";
import { chooseLanguage, currentLanguage } from "../i18n/i18n.ts";
import { languageCodes, languages } from "../i18n/languages.ts";
import { IconButton } from "./Button.tsx";
import { Menu, MenuChoices } from "./Menu.tsx";
import { showToast } from "./toasts.ts";

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

/** Every language by its own name, inside a Menu; the page changes at once and keeps what was typed. */
export function LanguageChoices() {
  const { t } = useTranslation();
  const choose = (language: (typeof languageCodes)[number]) => {
    chooseLanguage(language).catch(() => showToast("error", t("error.unreachable")));
  };
  return (
    <MenuChoices
      label={t("language.label")}
      value={currentLanguage()}
      choices={languageCodes.map((code) => ({ value: code, text: languages[code], lang: code }))}
      onChoose={choose}
    />
  );
}
