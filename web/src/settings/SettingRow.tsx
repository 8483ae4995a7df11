import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type Column, Table } from "../components/Table.tsx";

/** A setting in a line: what it is, its state, and at the right what can be done about it. */
export function SettingRow({
  title,
  text,
  children,
}: {
  title: string;
  text: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line px-4 py-3.5 first:pt-1.5 [div+&]:border-t">
      <div className="min-w-0 grow basis-64">
        <h3 className="font-medium">{title}</h3>
        <div className="text-sm text-pretty wrap-anywhere text-ink-muted">{text}</div>
      </div>
      {children && <div className="flex flex-wrap gap-2">{children}</div>}
    </div>
  );
}

interface StateTableProps<Row extends { id: number }> {
  /** Undefined while they are on their way. */
  rows: readonly Row[] | undefined;
  heads: { name: string; state: string };
  name: (row: Row) => ReactNode;
  state: (row: Row) => ReactNode;
  /** Between the two, where there is room. */
  between?: readonly Column<Row>[];
  /** Under the name where there is no room for columns. Default: the state. */
  note?: (row: Row) => ReactNode;
  /** Small buttons at the end of a row. Undefined: the reader may do nothing. */
  actions?: ((row: Row) => ReactNode) | undefined;
  /** The width of the column that they are in. */
  actionsWidth?: string;
}

/** What is set up, one a row: its name, whether it works, and what can be done with it. */
export function StateTable<Row extends { id: number }>(props: StateTableProps<Row>) {
  const { rows, heads, name, state, between = [], note = state, actions, actionsWidth = "w-16" } = props;
  const { t } = useTranslation("shared");
  const columns: Column<Row>[] = [
    { id: "name", head: heads.name, cell: name, names: true },
    ...between,
    { id: "state", head: heads.state, cell: state, wide: true },
  ];
  if (actions) {
    columns.push({
      id: "actions",
      head: <span className="sr-only">{t("table.actions")}</span>,
      cell: (row) => <span className="-mr-2 inline-flex gap-1">{actions(row)}</span>,
      align: "end",
      width: actionsWidth,
    });
  }
  return <Table columns={columns} rows={rows} keyOf={({ id }) => id} note={note} />;
}
