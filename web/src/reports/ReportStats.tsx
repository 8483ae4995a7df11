import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../components/Button.tsx";
import { Card, Section } from "../components/Card.tsx";
import { Skeleton } from "../components/Loaded.tsx";
import { type Column, Table } from "../components/Table.tsx";
import { formatCount } from "../i18n/format.ts";

/** A statistic of a report, and what it was in the time before. */
export interface ShownStat {
  id: string;
  label: string;
  /** Null where nothing is known. */
  value: string | null;
  before: string | null;
}

/** The statistics of a report side by side, each with the one of the time before; undefined while they are on their way. */
export function ReportStats({ label, stats }: { label: string; stats: readonly ShownStat[] | undefined }) {
  const { t } = useTranslation("reports");
  return (
    <Card>
      <section aria-label={label}>
        {stats ? (
          <dl className="grid grid-cols-2 gap-y-1 pb-3.5 sm:grid-cols-3 lg:grid-cols-6">
            {stats.map(({ id, label: name, value, before }) => (
              <div key={id} className="flex min-w-0 flex-col pt-3.5 pr-1 pl-4">
                <dt title={name} className="text-xs text-balance text-ink-faint">
                  {name}
                </dt>
                <dd className="mt-auto truncate pt-0.5 text-xl font-semibold tracking-tight tabular-nums">
                  {value ?? "–"}
                </dd>
                <dd className="truncate text-xs text-ink-muted tabular-nums">
                  {t("before", { value: before ?? "–" })}
                </dd>
              </div>
            ))}
          </dl>
        ) : (
          <div className="p-4">
            <Skeleton className="h-14 w-full rounded-md opacity-50" />
          </div>
        )}
      </section>
    </Card>
  );
}

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

export function ReportWaiting() {
  return (
    <div className="grid gap-4" aria-hidden>
      <ReportStats label="" stats={undefined} />
      <div className="grid gap-4 lg:grid-cols-2">
        <Skeleton className="h-84 rounded-lg opacity-50" />
        <Skeleton className="h-84 rounded-lg opacity-50" />
      </div>
      <Skeleton className="h-60 rounded-lg opacity-50" />
    </div>
  );
}
