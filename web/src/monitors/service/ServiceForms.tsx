import { ServiceCreate, ServiceUpdate } from "../../../../server/src/monitors/schemas/services.ts?schemas";
import type { ServiceDetail } from "../../api/monitor.ts";
import type { Drafts } from "../../forms/drafts.ts";
import type { FieldSchema } from "../../forms/schema.ts";
import type { Section } from "../../forms/sections.ts";
import { monitorKinds } from "../../kinds.ts";
import { type FormOfKind, phasesOf } from "../descriptor.ts";
import { adjustDomain, domainLayout } from "../domain/form/domain-layout.ts";
import { EditMonitorPage, NewMonitorPage } from "../form/FormPages.tsx";
import type english from "./form/en.json";

export const NewServicePage = () => <NewMonitorPage form={serviceForm} />;

export const EditServicePage = () => <EditMonitorPage form={serviceForm} />;

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "monitors/service/form": typeof english;
  }
}

const shapes: Record<"create" | "update", FieldSchema> = { create: ServiceCreate, update: ServiceUpdate };
/** Settings without a meaning where nothing is checked over the network: heartbeats have a grace period instead, groups neither. */
const probeFields = ["timeout", "locations", "recheckDelay"];
const variants = shapes.create.oneOf ?? [];
const httpFields = fieldsOf("http")["protocolConfig"]?.properties ?? {};

const usualLayout: readonly Section[] = [
  { id: "basics", fields: ["name", "protocolConfig", "checkInterval"] },
  { id: "schedule", fields: ["timeout", "enabled"] },
  { id: "locations", fields: ["locations"] },
  { id: "alerting", fields: ["confirmations", "recoveries", "recheckDelay", "severity", "parents"] },
  { id: "objective", fields: ["objective", "objectiveDays"] },
  { id: "tags", fields: ["tags", "description"] },
];

/** Texts that a domain's form and an HTTP service's share. */
const httpLayout = domainLayout.map(({ id, fields }) => ({
  id,
  fields: fields.map((field) => (field in httpFields ? `protocolConfig.${field}` : field)),
}));

/** How often a job is expected is what its heartbeat is about; few make up a token themselves. */
const heartbeatLayout = usualLayout.map(({ id, fields }) =>
  id === "basics"
    ? { id, fields: ["name", "checkInterval", "protocolConfig"] }
    : { id, fields: id === "schedule" ? [...fields, "protocolConfig.token"] : fields },
);
const layouts: Readonly<Record<string, readonly Section[]>> = {
  http: httpLayout,
  heartbeat: heartbeatLayout,
};
/** Jobs run less often than anything is checked. */
const jobIntervals = [300, 900, 3_600, 86_400];

/** Twenty protocols in one list would have to be read; the group of the one that is looked for is known. */
const protocolGroups = {
  web: ["http", "websocket", "grpc", "tls"],
  network: ["icmp", "tcp", "udp", "dns", "ssh", "ftp"],
  database: ["postgres", "mysql", "mongodb", "redis"],
  mail: ["smtp", "imap", "pop3"],
  messaging: ["mqtt"],
  signalled: ["heartbeat", "group"],
};

export const serviceForm: FormOfKind = {
  kind: monitorKinds.service,
  variants: { field: "protocol", names: variants.map(protocolOf), groups: protocolGroups },
  schema: (action, protocol) => {
    const base = shapes[action].properties ?? {};
    const properties = { ...base, ...fieldsOf(protocol) };
    const meaningless = phasesOf(protocol).length === 0 ? probeFields : [];
    for (const name of ["protocol", ...meaningless]) delete properties[name];
    const required = action === "create" ? ["name", "protocolConfig"] : [];
    const config = properties["protocolConfig"] ?? {};
    return {
      type: "object",
      required,
      properties: { ...properties, protocolConfig: withoutUrlParts(config) },
    };
  },
  intervals: (protocol) => (protocol === "heartbeat" ? jobIntervals : undefined),
  layout: (protocol) => layouts[protocol] ?? usualLayout,
  adjustDrafts: adjustHttp,
  textKeys: (key, protocol) => {
    const setting = key.replace(/^field\./, "");
    const rest = setting.replace(/^protocolConfig\./, "");
    // An HTTP check has the sections of a domain.
    if (setting === key) return protocol === "http" ? [`monitors/domain/form:${key}`] : [];
    const own = `monitors/service/form:protocol.${protocol}.${rest}`;
    // The settings of an HTTP check are those of domains, too.
    return protocol === "http" && rest !== setting ? [own, `monitors/domain/form:field.${rest}`] : [own];
  },
  isStored: (path, drafts, detail: ServiceDetail) =>
    isHidden(path, detail.protocol) && !hasOtherSignIn(drafts, detail),
  danger: () => null,
  phases: phasesOf,
  usualName: () => undefined,
};

/** An API check follows no redirects by default, as with domains. */
function adjustHttp(drafts: Drafts, changed: string, was: Drafts): Drafts {
  const [now, before] = [drafts["protocolConfig"], was["protocolConfig"]] as [Drafts, Drafts];
  if (changed !== "protocolConfig" || now["isApi"] === before["isApi"]) return drafts;
  return { ...drafts, protocolConfig: adjustDomain(now, "isApi") };
}

/** What the schema says otherwise of that protocol. */
function fieldsOf(protocol: string): Readonly<Record<string, FieldSchema>> {
  return variants.find((one) => protocolOf(one) === protocol)?.properties ?? {};
}

/** Which protocol a shape of the schema is for. */
function protocolOf(shape: FieldSchema): string {
  return String(shape.properties?.["protocol"]?.const);
}

/** An HTTP service has a URL; the parts that say the same are for programs of before. */
function withoutUrlParts(config: FieldSchema): FieldSchema {
  const { host, port, path, ...properties } = config.properties ?? {};
  return properties["url"] ? { ...config, properties, required: ["url"] } : config;
}

/** Whether what is stored there is not shown: the whole field, or values of it. */
function isHidden(path: string, protocol: string): boolean {
  const [field = "", setting = ""] = path.split(".");
  const { writeOnly, "x-kept": keepValue } = fieldsOf(protocol)[field]?.properties?.[setting] ?? {};
  return writeOnly === true || keepValue !== undefined;
}

/** Of one way to sign in nothing is stored while another is. */
function hasOtherSignIn(drafts: Drafts, { protocolConfig }: ServiceDetail): boolean {
  const { authType } = drafts["protocolConfig"] as Drafts;
  const { authType: stored = "none" } = protocolConfig as { authType?: string };
  return authType !== undefined && (stored === "none" || authType !== stored);
}
