import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { Building2, Languages, LogOut, Monitor, Moon, Sun } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type Session, signOut, switchOrganization } from "../../api/session.ts";
import { chooseLanguage, currentLanguage } from "../../i18n/i18n.ts";
import { languageCodes, languages } from "../../i18n/languages.ts";
import { chooseTheme, type Theme, useTheme } from "../../theme.ts";
import { focusPage } from "../focus-page.ts";
import { showToast } from "../toasts.ts";
import type { LocalItem } from "./items.ts";
import { named } from "./named.ts";

const themeIcons: Record<Theme, typeof Sun> = { system: Monitor, light: Sun, dark: Moon };
const themes = Object.keys(themeIcons) as Theme[];

const tell = (error: Error) => showToast("error", error.message);

/** What somebody does with the app itself: its look, its language, another organization, leaving. */
export function usePersonActions(session: Session): LocalItem[] {
  const { t } = useTranslation("components/palette");
  const client = useQueryClient();
  const router = useRouter();
  const leave = async () => {
    await signOut(client);
    await router.navigate({ to: "/sign-in" });
  };
  return [
    ...useThemes(),
    ...useLanguages(),
    ...useOrganizations(session),
    {
      id: "sign-out",
      icon: <LogOut aria-hidden />,
      ...named(t, "action.signOut"),
      atOnce: true,
      run: () => void leave().catch(tell),
    },
  ];
}

function useThemes(): LocalItem[] {
  const { t } = useTranslation("components/palette");
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
  return languageCodes
    .filter((code) => code !== current)
    .map((code) => ({
      id: `language-${code}`,
      icon: <Languages aria-hidden />,
      text: languages[code],
      lang: code,
      detail: t("language.label"),
      also: [t("language.label"), t("language.label", { lng: "en" }), code],
      run: () => void chooseLanguage(code).catch(() => showToast("error", t("error.unreachable"))),
    }));
}

/** Where else the person belongs. */
function useOrganizations({ organization, organizations }: Session): LocalItem[] {
  const { t } = useTranslation("components/palette");
  const client = useQueryClient();
  const router = useRouter();
  const change = async (id: number) => {
    // What is on the page now is not there in another organization.
    await router.navigate({ to: "/" });
    await switchOrganization(client, id);
    focusPage();
  };
  return organizations
    .filter(({ id }) => id !== organization.id)
    .map(({ id, name }) => ({
      id: `organization-${id}`,
      icon: <Building2 aria-hidden />,
      ...named(t, "action.organization", { name }),
      run: () => void change(id).catch(tell),
    }));
}
