import { useTranslation } from "react-i18next";
import { Card } from "../components/Card.tsx";
import { Skeleton } from "../components/Skeleton.tsx";

/** A figure of a report, and what it was in the time before. */
export interface ShownFigure {
  id: string;
  label: string;
  /** Null where nothing is known. */
  value: string | null;
  before: string | null;
}

/** The figures of a report side by side, each with the one of the time before; undefined while they are on their way. */
export function ReportFigures({
  label,
  figures,
}: {
  label: string;
  figures: readonly ShownFigure[] | undefined;
}) {
  const { t } = useTranslation("reports");
  return (
    <Card>
      <section aria-label={label}>
        {figures ? (
          <dl className="grid grid-cols-2 gap-y-1 pb-3.5 sm:grid-cols-3 lg:grid-cols-6">
            {figures.map(({ id, label: name, value, before }) => (
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
