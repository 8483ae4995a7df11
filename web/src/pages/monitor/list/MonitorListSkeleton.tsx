import { useTranslation } from "react-i18next";
import { Card } from "../../../components/Card.tsx";
import { Skeleton } from "../../../components/Skeleton.tsx";
import type { MonitorColumn } from "../../../kinds/descriptor.ts";
import { gridOf } from "./columns.tsx";

const skeletonWidths = ["w-28", "w-40", "w-32", "w-24", "w-36", "w-28"];

/** The table's shape while it is on its way: the same heights, so that nothing moves when it comes. */
export function MonitorListSkeleton({ columns }: { columns: readonly MonitorColumn[] }) {
  const { t } = useTranslation();
  return (
    <Card className="overflow-clip" style={gridOf(columns)}>
      <span role="status" className="sr-only">
        {t("loading")}
      </span>
      <div aria-hidden className="h-9 max-md:hidden" />
      {skeletonWidths.map((width, index) => (
        <div
          key={`${width}-${index}`}
          aria-hidden
          data-loading
          className="monitor-columns h-14 border-t border-line py-2 pr-2 pl-4 max-md:h-19.25 max-md:first-of-type:border-t-0"
        >
          <div className="flex gap-3 pl-7">
            <Skeleton className="mt-1.5 size-2 rounded-full" />
            <div className="grid gap-2">
              <Skeleton className={`h-3 ${width}`} />
              <Skeleton className="h-2.5 w-44" />
            </div>
          </div>
          <Skeleton className="hidden h-3 w-28 md:block" />
          {columns.map(({ sort, wide }) => (
            <Skeleton
              key={sort}
              className={`hidden h-3 w-12 justify-self-end ${wide ? "lg:block" : "md:block"}`}
            />
          ))}
        </div>
      ))}
    </Card>
  );
}
