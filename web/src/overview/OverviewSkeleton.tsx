import { useTranslation } from "react-i18next";
import { useMayWrite } from "../api/roles.ts";
import { Card, Section } from "../components/Card.tsx";
import { Skeleton } from "../components/Loaded.tsx";

const cells = ["all", "up", "degraded", "down", "unknown", "paused"];
const widths = ["w-44", "w-56", "w-40", "w-52", "w-36"];

function StatSkeleton({ upper, lower }: { upper: string; lower: string }) {
  return (
    <div className="grid content-start gap-3">
      <Skeleton className={`h-2.5 ${upper}`} />
      <Skeleton className={`h-4 ${lower}`} />
    </div>
  );
}

/** The page's shape on an ordinary day, while its data is loading. */
export function OverviewSkeleton() {
  const { t } = useTranslation("overview");
  const mayAdd = useMayWrite();
  return (
    <>
      <div
        aria-hidden
        data-loading
        className="mb-5 grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]"
      >
        <div>
          <div className="flex h-7 items-center">
            <Skeleton className="h-4 w-48" />
          </div>
          <div className="flex h-5.5 items-center pl-5 max-sm:h-11">
            <Skeleton className="h-3 w-64" />
          </div>
        </div>
        <div className="h-15.5 max-md:hidden">{mayAdd && <Skeleton className="h-9 rounded-md" />}</div>
      </div>
      <Card className="grid h-33.75 grid-cols-3 sm:h-17 sm:grid-cols-6">
        {cells.map((cell) => (
          <div key={cell} className="grid content-center gap-2.5 px-3 sm:px-4">
            <Skeleton className="h-2.5 w-14" />
            <Skeleton className="h-4 w-8" />
          </div>
        ))}
      </Card>
      <div className="mt-4 grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Section title={t("activity.title")}>
          <ActivitySkeleton />
        </Section>
        <div className="grid gap-4 sm:max-lg:grid-cols-2">
          <Section title={t("stats.title")}>
            <div className="grid h-16.5 grid-cols-2 content-start px-4 pt-2">
              <StatSkeleton upper="w-14" lower="w-20" />
              <StatSkeleton upper="w-20" lower="w-16" />
            </div>
          </Section>
          <Section title={t("certificates.title")}>
            <CertificatesSkeleton />
          </Section>
        </div>
      </div>
    </>
  );
}

export function CertificatesSkeleton() {
  return (
    <div aria-hidden className="grid gap-4 px-4 pt-2 pb-5">
      <Skeleton className="h-3 w-full" />
      <Skeleton className="h-3 w-4/5" />
    </div>
  );
}

export function ActivitySkeleton() {
  return (
    <div aria-hidden>
      {widths.map((width) => (
        <div key={width} className="flex h-[2.6875rem] items-center gap-3 border-t border-line px-4">
          <Skeleton className="size-2 rounded-full" />
          <Skeleton className={`h-3 ${width}`} />
        </div>
      ))}
    </div>
  );
}
