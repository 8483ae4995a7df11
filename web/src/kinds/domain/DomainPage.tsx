import { ExternalLink } from "lucide-react";
import type { DomainDetail } from "../../api/monitor.ts";
import type { Domain } from "../../api/monitor-list.ts";
import { CertificateCard } from "../../pages/monitor/detail/CertificateCard.tsx";
import { HistoryCard } from "../../pages/monitor/detail/HistoryCard.tsx";
import { LocationsCard } from "../../pages/monitor/detail/LocationsCard.tsx";
import { ResponseCard } from "../../pages/monitor/detail/ResponseCard.tsx";
import { ResultsCard } from "../../pages/monitor/detail/ResultsCard.tsx";
import { UptimeCard } from "../../pages/monitor/detail/UptimeCard.tsx";
import { MonitorPage } from "../../pages/monitor/MonitorPage.tsx";
import type { CardProps, PageOfKind } from "../descriptor.ts";
import { monitorKinds } from "../kinds.ts";
import { phasesOf } from "../phases-of.ts";
import { shortUrl } from "./short-url.ts";

const page: PageOfKind = {
  kind: monitorKinds.domain,
  address: ({ url }: Domain) => (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className="group flex w-fit max-w-full items-center gap-1 rounded-sm text-sm text-ink-muted hover:text-ink"
    >
      <span className="truncate">{shortUrl(url)}</span>
      <ExternalLink aria-hidden className="size-3 shrink-0 text-ink-faint group-hover:text-ink" />
    </a>
  ),
  cards: [
    { id: "uptime", render: ({ id }) => <UptimeCard id={id} /> },
    {
      id: "response",
      render: ({ id, monitor }) => <ResponseCard id={id} monitor={monitor} phases={phasesOf("http")} />,
    },
    [
      { id: "locations", render: ({ id }) => <LocationsCard id={id} /> },
      {
        id: "certificate",
        render: ({ detail }: CardProps<DomainDetail>) => (
          <CertificateCard
            detail={detail}
            plain={detail?.url.startsWith("http:") === true}
            accepted={detail?.ignoreCertificate === true}
          />
        ),
      },
    ],
    {
      id: "results",
      render: ({ id, detail }) => <ResultsCard id={id} detail={detail} phases={phasesOf("http")} />,
    },
    { id: "history", render: ({ id }) => <HistoryCard id={id} /> },
  ],
};

/** One domain. */
export const DomainPage = () => <MonitorPage page={page} />;
