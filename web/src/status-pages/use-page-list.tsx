import { useNavigate } from "@tanstack/react-router";
import { ExternalLink, Globe, Link as LinkIcon, Lock, Pencil, Trash2 } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useMayWrite } from "../api/roles.ts";
import type { StatusPage } from "../api/status-pages.ts";
import { useCopy } from "../components/CopyButton.tsx";
import { focusPage } from "../components/focus.ts";
import { formatDateTime } from "../i18n/format.ts";
import type { ListColumn, ListDescriptor, RowAction } from "../list/descriptor.ts";
import { addressOf, shortAddressOf } from "./SlugField.tsx";

function accessOf({ isPublic, hasPassword, allowedNetworks }: StatusPage) {
  if (!isPublic) return "members";
  if (allowedNetworks.length === 0) return hasPassword ? "password" : "public";
  return hasPassword ? "passwordAndNetworks" : "networks";
}

/** The list of status pages, for DataList; `onDelete` confirms. */
export function usePageList(onDelete: (page: StatusPage) => void): ListDescriptor<StatusPage> {
  const { t, i18n } = useTranslation("status-pages");
  const columns = useColumns();
  const menu = useMenu(onDelete);
  const { language } = i18n;
  return useMemo(
    () => ({
      id: "status-pages",
      label: t("title"),
      name: { head: t("column.name") },
      columns,
      nameOf: ({ name }) => name,
      pathOf: ({ id }) => `/status-pages/${id}`,
      statusOf: ({ isPublic }) => (isPublic ? "public" : "private"),
      detailsOf: ({ updatedAt }) => t("changed", { date: formatDateTime(updatedAt, language) }),
      lead: (page) => {
        const Icon = accessOf(page) === "public" ? Globe : Lock;
        return <Icon aria-hidden className="mt-0.5 size-4 text-ink-faint" strokeWidth={1.75} />;
      },
      beside: () => null,
      under: (page) => <div className="truncate text-sm text-ink-faint">{shortAddressOf(page)}</div>,
      figure: () => null,
      summary: (page) => (
        <span className="flex min-w-0 gap-3 text-ink-muted">
          <span>{t(`access.${accessOf(page)}`)}</span>
          <span>{t("components", { count: page.components.length })}</span>
        </span>
      ),
      menu,
    }),
    [t, language, columns, menu],
  );
}

function useColumns(): readonly ListColumn<StatusPage>[] {
  const { t, i18n } = useTranslation("status-pages");
  const { language } = i18n;
  return useMemo(
    () => [
      {
        id: "access",
        head: t("column.access"),
        widthRem: 11.5,
        rank: 1,
        cell: (page) => <span className="text-ink-muted">{t(`access.${accessOf(page)}`)}</span>,
      },
      {
        id: "components",
        head: t("column.components"),
        widthRem: 7,
        rank: 2,
        align: "end",
        cell: ({ components }) => <span className="text-ink-muted tabular-nums">{components.length}</span>,
      },
      {
        id: "changed",
        head: t("column.changed"),
        widthRem: 11.5,
        rank: 3,
        align: "end",
        cell: ({ updatedAt }) => (
          <time dateTime={updatedAt} className="text-ink-muted tabular-nums">
            {formatDateTime(updatedAt, language)}
          </time>
        ),
      },
    ],
    [t, language],
  );
}

/** What can be done with one; who may change nothing can open it and copy its address. */
function useMenu(onDelete: (page: StatusPage) => void): (page: StatusPage) => readonly RowAction[] {
  const { t } = useTranslation(["status-pages", "shared"]);
  const mayWrite = useMayWrite();
  const navigate = useNavigate();
  const copyText = useCopy();
  return useMemo(() => {
    const look = (page: StatusPage): RowAction[] => [
      {
        id: "open",
        label: t("action.open"),
        icon: <ExternalLink aria-hidden />,
        run: () => void open(addressOf(page), "_blank", "noreferrer"),
      },
      {
        id: "copy",
        label: t("action.copy"),
        icon: <LinkIcon aria-hidden />,
        run: () => void copyText(addressOf(page), t("done.copied")),
      },
    ];
    const changes = (page: StatusPage): RowAction[] => [
      {
        id: "edit",
        label: t("action.edit"),
        icon: <Pencil aria-hidden />,
        run: () =>
          void navigate({ to: "/status-pages/$id", params: { id: String(page.id) } }).then(focusPage),
      },
      {
        id: "delete",
        label: t("shared:action.delete"),
        icon: <Trash2 aria-hidden />,
        danger: true,
        run: () => onDelete(page),
      },
    ];
    return (page) => {
      const [edit, remove] = mayWrite ? changes(page) : [];
      return [...(edit ? [edit] : []), ...look(page), ...(remove ? [remove] : [])];
    };
  }, [t, mayWrite, navigate, onDelete, copyText]);
}
