import { Skeleton } from "../components/Skeleton.tsx";
import { ReportFigures } from "./ReportFigures.tsx";

/** The shape of a report that is on its way. */
export function ReportWaiting() {
  return (
    <div className="grid gap-4" aria-hidden>
      <ReportFigures label="" figures={undefined} />
      <div className="grid gap-4 lg:grid-cols-2">
        <Skeleton className="h-84 rounded-lg opacity-50" />
        <Skeleton className="h-84 rounded-lg opacity-50" />
      </div>
      <Skeleton className="h-60 rounded-lg opacity-50" />
    </div>
  );
}
