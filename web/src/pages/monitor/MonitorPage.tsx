import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ChevronLeft, Compass } from "lucide-react";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../../api/client.ts";
import { monitorQuery } from "../../api/monitor.ts";
import type { Monitor } from "../../api/monitor-list.ts";
import { listedMonitors } from "../../api/monitors.ts";
import { Card } from "../../components/Card.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { usePageTitle } from "../../components/use-page-title.ts";
import type { CardProps, MonitorCard, PageOfKind } from "../../kinds/descriptor.ts";
import { KindProvider, useKind, useKindTexts } from "../../kinds/use-kind.ts";
import { MonitorHeader, MonitorHeaderSkeleton } from "./detail/MonitorHeader.tsx";

/** One monitor: what it is now, since when and why, and how it has been. */
export function MonitorPage({ page }: { page: PageOfKind }) {
  return (
    <KindProvider value={page.kind}>
      <Page page={page} />
    </KindProvider>
  );
}

function Page({ page }: { page: PageOfKind }) {
  const k = useKindTexts();
  const { kind, address } = page;
  const id = Number(useParams({ strict: false }).id);
  const { data: detail, error, isFetching, refetch } = useQuery(monitorQuery(kind, id));
  const client = useQueryClient();
  const listed = listedMonitors(client, kind.id).find((each) => each.id === id);
  const monitor: Monitor | undefined = detail ?? listed;
  usePageTitle(monitor?.name ?? k("title"));
  const gone = error instanceof ApiError && error.status === 404;
  return (
    <>
      <Link
        to={kind.pages.list}
        className="-ml-1 inline-flex items-center gap-1 rounded-sm pr-1 text-sm text-ink-muted hover:text-ink"
      >
        <ChevronLeft aria-hidden className="size-4" />
        {k("title")}
      </Link>
      {gone && <MonitorGone />}
      {!gone && error && !detail && (
        <>
          {monitor && <MonitorHeader monitor={monitor} address={address(monitor)} />}
          <Card className="mt-4">
            <ErrorState error={error} busy={isFetching} onRetry={() => void refetch()} />
          </Card>
        </>
      )}
      {!gone && !(error && !detail) && (
        <Watched key={id} page={page} id={id} monitor={monitor} detail={detail} />
      )}
    </>
  );
}

/** Each card asks for its own figures and stands in its final shape until they come. */
function Watched({ page, ...props }: CardProps & { page: PageOfKind }) {
  const { monitor } = props;
  const render = (card: MonitorCard) => <Fragment key={card.id}>{card.render(props)}</Fragment>;
  return (
    <>
      {monitor ? (
        <MonitorHeader monitor={monitor} address={page.address(monitor)} />
      ) : (
        <MonitorHeaderSkeleton />
      )}
      <div className="grid gap-4">
        {page.cards.map((row) =>
          "render" in row ? (
            render(row)
          ) : (
            <div key={row.map(({ id }) => id).join()} className="grid gap-4 lg:grid-cols-2">
              {row.map(render)}
            </div>
          ),
        )}
      </div>
    </>
  );
}

function MonitorGone() {
  const { t } = useTranslation();
  const k = useKindTexts();
  return (
    <EmptyState
      icon={<Compass aria-hidden className="size-6" strokeWidth={1.5} />}
      title={k("gone.title")}
      text={k("gone.text")}
    >
      <Link to={useKind().pages.list} className="rounded-sm font-medium underline underline-offset-4">
        {t("notFound.back")}
      </Link>
    </EmptyState>
  );
}
