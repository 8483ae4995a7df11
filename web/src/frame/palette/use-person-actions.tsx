import { Building2, Languages, LogOut, MessagesSquare } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Session } from "../../api/session.ts";
import { useLanguageChoice } from "../../components/LanguageMenu.tsx";
import { themeIcons } from "../../components/ThemeToggle.tsx";
import { currentLanguage } from "../../i18n/i18n.ts";
import { languageCodes, languages } from "../../i18n/languages.ts";
import { chooseTheme, themes, useTheme } from "../../theme.ts";
import { useSignOut } from "../AccountMenu.tsx";
import { togglePanel } from "../assistant/panel-state.ts";
import { useOrganizationSwitch } from "../OrganizationSwitcher.tsx";
import { type LocalItem, named } from "./items.ts";

/** Actions on the app itself: theme, language, switching organizations, signing out. */
export function usePersonActions(session: Session): LocalItem[] {
  const { t } = useTranslation("frame/palette");
  const leave = useSignOut();
  return [
    {
      id: "assistant",
      icon: <MessagesSquare aria-hidden />,
      ...named(t, "action.assistant"),
      atOnce: true,
      run: () => togglePanel(true),
    },
    ...useThemes(),
    ...useLanguages(),
    ...useOrganizations(session),
    {
      id: "sign-out",
      icon: <LogOut aria-hidden />,
      ...named(t, "action.signOut"),
      atOnce: true,
      run: leave,
    },
  ];
}

function useThemes(): LocalItem[] {
  const { t } = useTranslation("frame/palette");
  const current = useTheme();
  return themes
    .filter((theme) => theme !== current)
    .map((theme) => {
      const Icon = themeIcons[theme];
      return {
        id: `theme-${theme}`,
        icon: <Icon aria-hidden />,
        ...named(t, `action.theme.${theme}`),
        run: () => chooseTheme(theme),
      };
    });
}

function useLanguages(): LocalItem[] {
  const { t } = useTranslation();
  const current = currentLanguage();
  const choose = useLanguageChoice();
  return languageCodes
    .filter((code) => code !== current)
    .map((code) => ({
      id: `language-${code}`,
      icon: <Languages aria-hidden />,
      text: languages[code],
      lang: code,
      detail: t("language.label"),
      also: [t("language.label"), t("language.label", { lng: "en" }), code],
      run: () => choose(code),
    }));
}

/** Where else the person belongs. */
function useOrganizations({ organization, organizations }: Session): LocalItem[] {
  const { t } = useTranslation("frame/palette");
  const switchTo = useOrganizationSwitch();
  return organizations
    .filter(({ id }) => id !== organization.id)
    .map(({ id, name }) => ({
      id: `organization-${id}`,
      icon: <Building2 aria-hidden />,
      ...named(t, "action.organization", { name }),
      run: () => switchTo(id),
    }));
}
