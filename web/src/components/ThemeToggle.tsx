import { Monitor, Moon, Sun } from "lucide-react";
import { useTranslation } from "react-i18next";
import { chooseTheme, nextTheme, themes, useTheme } from "../theme.ts";
import { IconButton } from "./Button.tsx";
import { MenuChoices } from "./Menu.tsx";

/** What each theme looks like in a button or a line. */
export const themeIcons = { system: Monitor, light: Sun, dark: Moon };

/** Goes round: as the system, light, dark. */
export function ThemeToggle() {
  const { t } = useTranslation();
  const theme = useTheme();
  const next = nextTheme(theme);
  const Icon = themeIcons[theme];
  const label = t("theme.label", { current: t(`theme.${theme}`), next: t(`theme.${next}`) });
  return (
    <IconButton label={label} onClick={() => chooseTheme(next)}>
      <Icon aria-hidden className="size-4" />
    </IconButton>
  );
}

export function ThemeChoices() {
  const { t } = useTranslation();
  return (
    <MenuChoices
      label={t("theme.title")}
      value={useTheme()}
      choices={themes.map((theme) => ({ value: theme, text: t(`theme.choice.${theme}`) }))}
      onChoose={chooseTheme}
    />
  );
}
