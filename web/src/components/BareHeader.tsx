import { useTranslation } from "react-i18next";
import { LanguageMenu } from "./LanguageMenu.tsx";
import { Logo } from "./Logo.tsx";
import { ThemeToggle } from "./ThemeToggle.tsx";

/** The header where nobody is signed in, or nothing is known of it. */
export function BareHeader() {
  const { t } = useTranslation();
  return (
    <header className="flex h-14 items-center justify-between px-4 sm:px-6">
      <span className="flex items-center gap-2.5 font-semibold">
        <Logo />
        {t("app.name")}
      </span>
      <span className="flex gap-1">
        <LanguageMenu />
        <ThemeToggle />
      </span>
    </header>
  );
}
