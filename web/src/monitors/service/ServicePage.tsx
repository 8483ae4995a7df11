import type { ComponentType } from "react";
import type { ServiceDetail } from "../../api/monitor.ts";
import type { Service } from "../../api/monitor-list.ts";
import { monitorKinds } from "../../kinds.ts";
import type { PageOfKind } from "../descriptor.ts";
import { MonitorPage } from "../MonitorPage.tsx";
import { phasesOf } from "../phases-of.ts";
import { AddressCard, HeartbeatCard } from "./HeartbeatCard.tsx";
import { MembersCard } from "./MembersCard.tsx";
import { Target } from "./Target.tsx";

/** What only one protocol has to show. */
const ownCards: Readonly<Record<string, ComponentType<{ service: ServiceDetail }>>> = {
  heartbeat: HeartbeatCard,
  group: MembersCard,
};

const page: PageOfKind = {
  kind: monitorKinds.service,
  address: (service: Service) => <Target service={service} where="page" />,
  // Most of them connect, and are answered: until it is known what it is, it is one of those.
  phasesOf: (service?: Service) => phasesOf(service?.protocol ?? "tcp"),
  hasCodes: (service?: Service) => service?.protocol === "http",
  certificateOf: (service?: ServiceDetail) => {
    if (!service) return null;
    const { protocol, target, certificate, protocolConfig } = service;
    // Many services have nothing to do with certificates.
    if (certificate.status === "none" && protocol !== "http") return null;
    const { ignoreCertificate } = protocolConfig as { ignoreCertificate?: boolean };
    return { plain: target.startsWith("http:"), accepted: ignoreCertificate === true };
  },
  own: (service: ServiceDetail) => {
    const Own = ownCards[service.protocol];
    return Own && <Own service={service} />;
  },
  last: (service: ServiceDetail) =>
    service.protocol === "heartbeat" && <AddressCard service={service} where="last" />,
};

/** One service. */
export const ServicePage = () => <MonitorPage page={page} />;
