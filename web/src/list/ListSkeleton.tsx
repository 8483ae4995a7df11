import { type CSSProperties, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Card } from "../components/Card.tsx";
import { Skeleton } from "../components/Skeleton.tsx";
import type { ListDescriptor, Listed } from "./descriptor.ts";
import { useFitting } from "./use-columns.ts";

const nameWidths = ["w-28", "w-40", "w-32", "w-24", "w-36", "w-28"];

/** The table's shape while it is on its way: the same heights, so that nothing moves when it comes. */
export function ListSkeleton<Item extends Listed>({ list }: { list: ListDescriptor<Item> }) {
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const { isCompact, columns, template } = useFitting(list.columns, frame, list.name.room);
  return (
    <div ref={frame}>
      <Card className="overflow-clip" style={{ "--columns": template } as CSSProperties}>
        <span role="status" className="sr-only">
          {t("loading")}
        </span>
        <div aria-hidden className={isCompact ? "h-11" : "h-9"} />
        {nameWidths.map((width, index) => (
          <div
            key={`${width}-${index}`}
            aria-hidden
            data-loading
            className={`list-columns border-t border-line py-2 pr-2 pl-4 ${isCompact ? "h-19.25" : "h-14"}`}
          >
            <div className="flex gap-3 pl-7">
              <Skeleton className="mt-1.5 size-2 rounded-full" />
              <div className="grid gap-2">
                <Skeleton className={`h-3 ${width}`} />
                <Skeleton className="h-2.5 w-44" />
              </div>
            </div>
            {columns.map(({ id, align }) => (
              <Skeleton key={id} className={`h-3 w-12 ${align === "end" ? "justify-self-end" : ""}`} />
            ))}
          </div>
        ))}
      </Card>
    </div>
  );
}
