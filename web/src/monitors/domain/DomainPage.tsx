import type { DomainDetail } from "../../api/monitor.ts";
import type { Domain } from "../../api/monitor-list.ts";
import { monitorKinds } from "../../kinds.ts";
import { type PageOfKind, phasesOf } from "../descriptor.ts";
import { MonitorPage } from "../MonitorPage.tsx";
import { SiteLink } from "../StatusText.tsx";

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

export const DomainPage = () => <MonitorPage page={page} />;
