import type { DomainDetail } from "../../api/monitor.ts";
import type { Domain } from "../../api/monitor-list.ts";
import { MonitorPage } from "../../pages/monitor/MonitorPage.tsx";
import { SiteLink } from "../../pages/monitor/SiteLink.tsx";
import type { PageOfKind } from "../descriptor.ts";
import { monitorKinds } from "../kinds.ts";
import { phasesOf } from "../phases-of.ts";

const page: PageOfKind = {
  kind: monitorKinds.domain,
  address: ({ url }: Domain) => <SiteLink url={url} />,
  phasesOf: () => phasesOf("http"),
  hasCodes: () => true,
  certificateOf: (detail?: DomainDetail) => ({
    plain: detail?.url.startsWith("http:") === true,
    accepted: detail?.ignoreCertificate === true,
  }),
};

/** One domain. */
export const DomainPage = () => <MonitorPage page={page} />;
