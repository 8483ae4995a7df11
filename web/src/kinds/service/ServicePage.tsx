import type { ComponentType } from "react";
import type { ServiceDetail } from "../../api/monitor.ts";
import type { Service } from "../../api/monitor-list.ts";
import { CertificateCard } from "../../pages/monitor/detail/CertificateCard.tsx";
import { MonitorPage } from "../../pages/monitor/MonitorPage.tsx";
import type { CardProps, PageOfKind } from "../descriptor.ts";
import { monitorKinds } from "../kinds.ts";
import { HeartbeatCard } from "./HeartbeatCard.tsx";
import { LastCheckCard } from "./LastCheckCard.tsx";
import { Target } from "./Target.tsx";

/** What only one protocol has to show. */
const ownCards: Readonly<Record<string, ComponentType<{ service: ServiceDetail }>>> = {
  heartbeat: HeartbeatCard,
};

const page: PageOfKind = {
  kind: monitorKinds.service,
  address: (service: Service) => <Target service={service} className="text-sm text-ink-muted" />,
  cards: [
    {
      id: "own",
      render: ({ detail }: CardProps<ServiceDetail>) => {
        const Own = detail && ownCards[detail.protocol];
        return Own && <Own service={detail} />;
      },
    },
    {
      id: "last",
      render: ({ detail }: CardProps<ServiceDetail>) => <LastCheckCard detail={detail} />,
    },
    {
      id: "certificate",
      // Many services have nothing to do with certificates.
      render: ({ detail }) =>
        detail && detail.certificate.status !== "none" && <CertificateCard detail={detail} plain={false} />,
    },
  ],
};

/** One service. */
export const ServicePage = () => <MonitorPage page={page} />;
