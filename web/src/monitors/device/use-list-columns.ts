import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { DeviceLists, ListName } from "../../api/device-lists.ts";
import { type ListedColumn, listColumns } from "./list-columns.ts";

/** The columns of a list that agents report, with their heads, in the reader's language. */
export function useListColumns<Name extends ListName>(
  name: Name,
): readonly (ListedColumn<DeviceLists[Name]> & { head: string })[] {
  const { t, i18n } = useTranslation("monitors/device");
  return useMemo(() => {
    const words = {
      language: i18n.language,
      running: { yes: t("lists.running.yes"), no: t("lists.running.no") },
      change: {
        installed: t("lists.change.installed"),
        removed: t("lists.change.removed"),
        updated: t("lists.change.updated"),
      },
    };
    const columns = listColumns[name](words) as readonly ListedColumn<DeviceLists[Name]>[];
    return columns.map((column) => ({ ...column, head: t(`lists.head.${column.id as "name"}`) }));
  }, [name, t, i18n.language]);
}
