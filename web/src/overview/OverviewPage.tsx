import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMayWrite } from "../api/roles.ts";
import { Loaded } from "../components/Loaded.tsx";
import { PageBar } from "../components/PageBar.tsx";
import { usePageTitle } from "../components/use-page-title.ts";
import { monitorKinds } from "../kinds.ts";
import { AddDomainForm } from "../monitors/domain/AddDomainForm.tsx";
import { NothingWatched } from "../monitors/NothingWatched.tsx";
import { KindProvider } from "../monitors/use-kind.ts";
import { ActivityCard } from "./ActivityCard.tsx";
import { CertificatesCard } from "./CertificatesCard.tsx";
import type english from "./en.json";
import { FiguresCard } from "./FiguresCard.tsx";
import { FirstStepsCard } from "./FirstStepsCard.tsx";
import { Headline } from "./Headline.tsx";
import { InvitationsCard } from "./InvitationsCard.tsx";
import { OverviewSkeleton } from "./OverviewSkeleton.tsx";
import { StatusCounts } from "./StatusCounts.tsx";
import { TroubleCard } from "./TroubleCard.tsx";
import { UnnotifiedNotice } from "./UnnotifiedNotice.tsx";
import { type Overview, useOverview } from "./use-overview.ts";

declare module "../i18n/texts.ts" {
  interface PageTexts {
    overview: typeof english;
  }
}

/** How everything is: what is down, what happened last, and the figures behind it. */
export function OverviewPage() {
  const { t } = useTranslation("overview");
  const reading = useOverview();
  const [wasEmpty, setWasEmpty] = useState(false);
  const counts = reading.data?.counts;
  const down = counts?.down ?? 0;
  usePageTitle(down > 0 ? t("pageTitleDown", { count: down }) : t("pageTitle"));
  if (counts?.all === 0 && !wasEmpty) setWasEmpty(true);
  return (
    <>
      <PageBar title={t("pageTitle")} />
      <Loaded
        of={reading}
        failed={t("failed")}
        loading={<OverviewSkeleton />}
        isEmpty={(overview) => overview.counts.all === 0}
        empty={<Empty />}
      >
        {(overview) => <Watched overview={overview} adding={wasEmpty} />}
      </Loaded>
    </>
  );
}

function Empty() {
  const { t } = useTranslation("overview");
  const mayAdd = useMayWrite();
  return (
    <KindProvider value={monitorKinds.domain}>
      <div className="mb-4 grid gap-4 empty:hidden">
        <InvitationsCard />
      </div>
      <NothingWatched title={t("pageTitle")} add={mayAdd && <AddDomainForm autoFocus />} />
    </KindProvider>
  );
}

/** `adding`: the first domain has just been typed in; the next one can follow at once. */
function Watched({ overview, adding }: { overview: Overview; adding: boolean }) {
  const { counts, kinds, acknowledged } = overview;
  const mayAdd = useMayWrite();
  return (
    <>
      <div className="mb-5 grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
        <Headline counts={counts} kinds={kinds} />
        {mayAdd && (
          <div className={adding ? "" : "max-md:hidden"}>
            <AddDomainForm autoFocus={adding} />
          </div>
        )}
      </div>
      <UnnotifiedNotice />
      <div className="grid gap-4">
        {kinds.map((one) => (
          <KindProvider key={one.kind.id} value={one.kind}>
            <StatusCounts counts={one.counts} />
          </KindProvider>
        ))}
      </div>
      <div className="mt-4 grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-4">
          <TroubleCard state="down" kinds={kinds} acknowledged={acknowledged} />
          <InvitationsCard />
          <TroubleCard state="degraded" kinds={kinds} acknowledged={acknowledged} />
          <ActivityCard />
        </div>
        <div className="grid min-w-0 gap-4 sm:max-lg:grid-cols-2">
          <FiguresCard uptime={overview.uptime} responseTime={overview.responseTime} />
          <CertificatesCard />
          <FirstStepsCard />
        </div>
      </div>
    </>
  );
}
