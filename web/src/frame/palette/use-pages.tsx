import { useRouter } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Session } from "../../api/session.ts";
import { focusPage } from "../../components/focus-page.ts";
import { settingsEntriesOf } from "../../settings/entries.ts";
import { entries } from "../entries.ts";
import type { LocalGroup } from "./items.ts";

/** The pages of the app that the role may see, also by their English names. */
export function usePages({ organization }: Session): LocalGroup[] {
  const { t } = useTranslation(["shared", "settings"]);
  const router = useRouter();
  const go = (to: string) => void router.navigate({ to }).then(focusPage);
  const line = (path: string, Icon: LucideIcon) => ({
    id: `page${path.replaceAll("/", "-")}`,
    icon: <Icon aria-hidden />,
    href: path,
    run: () => go(path),
  });
  const pages = entries.filter(({ group }) => group !== "end");
  const main = pages.map(({ id, path, icon }) => ({
    ...line(path, icon),
    text: t(`app.${id}`),
    also: [t(`app.${id}`, { lng: "en" })],
    atOnce: true,
  }));
  const settings = settingsEntriesOf(organization.role).map(({ path, label, icon }) => ({
    ...line(path, icon),
    text: t(`settings:entries.${label}`),
    also: [t(`settings:entries.${label}`, { lng: "en" }), t("settings:title")],
  }));
  return [
    { id: "pages", all: main },
    { id: "settings", all: settings },
  ];
}
