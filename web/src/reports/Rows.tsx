import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../components/Button.tsx";
import { Section } from "../components/Section.tsx";
import { type Column, Table } from "../components/Table.tsx";
import { formatCount } from "../i18n/format.ts";

interface RowsProps<Row> {
  title: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** As `Table` has it. */
  note?: (row: Row) => string | null;
}

/** As many as are read at a glance; the others with a click. */
const few = 25;

/** The rows of a report, the first of them at first. */
export function Rows<Row>({ title, columns, rows, keyOf, note }: RowsProps<Row>) {
  const { t, i18n } = useTranslation("reports");
  const [areAll, setAreAll] = useState(false);
  return (
    <Section title={title}>
      <Table
        columns={columns}
        rows={areAll ? rows : rows.slice(0, few)}
        keyOf={keyOf}
        {...(note && { note })}
      />
      {!areAll && rows.length > few && (
        <div className="border-t border-line p-2 text-center">
          <Button variant="quiet" onClick={() => setAreAll(true)}>
            {t("showAll", { count: rows.length, all: formatCount(rows.length, i18n.language) })}
          </Button>
        </div>
      )}
    </Section>
  );
}
