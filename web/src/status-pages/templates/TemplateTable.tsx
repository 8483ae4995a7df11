import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useMayWrite } from "../../api/roles.ts";
import type { TemplateText } from "../../api/update-templates.ts";
import { type Column, Table } from "../../components/Table.tsx";
import { TextInLanguage } from "./TextInLanguage.tsx";

interface TemplateTableProps<Row> {
  /** Undefined while they are on their way. */
  templates: readonly Row[] | undefined;
  keyOf: (template: Row) => string | number;
  name: (template: Row) => ReactNode;
  /** What can be done with one, for those who may change templates. */
  action: (template: Row) => ReactNode;
}

/** One template a row: what it is called, what it says, and what can be done with it. */
export function TemplateTable<Row extends { texts: TemplateText[] }>({
  templates,
  keyOf,
  name,
  action,
}: TemplateTableProps<Row>) {
  const { t } = useTranslation("status-pages/templates");
  const mayWrite = useMayWrite();
  const says = ({ texts }: Row) => <TextInLanguage texts={texts} />;
  const columns: Column<Row>[] = [
    { id: "name", head: t("column.name"), cell: name, names: true, width: "@lg:w-60" },
    { id: "says", head: t("column.says"), cell: says, wide: true },
  ];
  if (mayWrite) {
    const head = <span className="sr-only">{t("column.actions")}</span>;
    columns.push({ id: "actions", head, align: "end", width: "w-16", cell: action });
  }
  return <Table columns={columns} rows={templates} keyOf={keyOf} note={says} />;
}
