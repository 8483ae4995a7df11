import { type TObject, type TProperties, type TSchema, Type } from "typebox";
import { TOOL_VERBS } from "../../checks/toolbox/tool-verbs.ts";
import { listIncidents } from "../../incidents/list-incidents.ts";
import { Incident, IncidentsQuery } from "../../incidents/schemas/incidents.ts";
import { deviceStats, listDevices } from "../../monitors/devices/devices.ts";
import { listDomains } from "../../monitors/domains.ts";
import { domainMetrics } from "../../monitors/metric-verbs.ts";
import { DeviceListItem } from "../../monitors/schemas/devices.ts";
import { DomainListItem } from "../../monitors/schemas/domains.ts";
import { takesOrganization } from "../../platform/http/authenticate.ts";
import type { Describe } from "../../platform/http/both-families.ts";
import type { Listing } from "../../platform/http/listing.ts";
import { callVerb, findSubject } from "../../platform/operations/call.ts";
import { fromOutside } from "../../platform/operations/field.ts";
import { validInput } from "../../platform/operations/field-errors.ts";
import type { Verb } from "../../platform/operations/operation.ts";
import { type Listed, Pagination, projectPage } from "../../platform/operations/paging.ts";
import { getDashboardStats } from "../../reports/list-recent-activity.ts";
import { DashboardStats } from "../../reports/schemas/dashboard.ts";
import {
  type Annotations,
  fieldsOf,
  type ToolCall,
  toolInput,
  type VerbTool,
  visibleValue,
  withoutMessages,
} from "./tool.ts";

/** Personal resources are not offered, unless a listing says so. */
const NOT_OFFERED = ["organization", "api-keys", "chat", "metrics"];
/** One screenful. */
const ITEMS_A_PAGE = 20;
/** More than fit (answer.ts), even with a check's few fields. */
const MOST_ITEMS = 500;
/** Decisions §5. */
export const TOOL_FEATURES = ["full"] as const;

type AnyListing = Listing<TSchema, TSchema, unknown>;

/** Read-only within the installation: harmless, even where an attacker suggested the call. */
export const runsAtOnce = ({ readOnlyHint, openWorldHint }: Annotations): boolean =>
  readOnlyHint && !openWorldHint;

/** All that can be done, by name, and where it is listed. */
export interface Offered {
  verbs: Readonly<Record<string, unknown>>;
  described: readonly Describe[];
}

export function verbTools({ verbs, described }: Offered): VerbTool[] {
  const names = new Map<unknown, string>(Object.entries(verbs).map(([name, verb]) => [verb, name]));
  const tools = new Map<string, VerbTool>();
  for (const describe of described) {
    describe((listing) => {
      const own = listing as unknown as AnyListing;
      const name = names.get(own.verb);
      if (name !== undefined && isOffered(own) && !tools.has(name)) tools.set(name, toolOf(name, own));
    });
  }
  return [...tools.values()];
}

function isOffered({ assistant, verb, file }: AnyListing): boolean {
  if (assistant !== undefined) return assistant;
  const { by = "caller", resource } = verb;
  return by === "caller" && resource !== null && !NOT_OFFERED.includes(resource) && !file;
}

const toolName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function toolOf(name: string, listing: AnyListing): VerbTool {
  const { verb, summary, description = "", limit } = listing;
  const annotations = annotationsOf(listing);
  const isConfirmed = annotations.destructiveHint && verb.hints?.destructive !== "elsewhere";
  const { resource, by } = verb;
  const output = withoutMessages(verb.output);
  const item = itemOf(listing);
  const isFiltered = takesOrganization({ family: by === "anyone" ? "public" : "v2", resource });
  return {
    name: toolName(name),
    title: summary,
    description: `${summary}. ${forAssistants(description)}`.trim(),
    input: toolInput(verb.input, { takesOrganization: isFiltered, isConfirmed }),
    output: outputOf(verb, output),
    annotations,
    needs: [verb],
    limit: limit ?? verb.action,
    page: resource ?? "account",
    ...(item && { item }),
    run: async (call) => resultOf(listing, await callVerb(...argumentsOf(verb, call))),
    isConfirmed,
    ...(!runsAtOnce(annotations) && {
      preview: async (call: ToolCall) => (await findSubject(...argumentsOf(verb, call))).found,
    }),
  };
}

/** By address. A subresource's id is not one of the resource; a deleted thing has none. */
function itemOf({ url, method, verb: { resource } }: AnyListing): VerbTool["item"] {
  const collection = `/api/${resource}`;
  if (url === collection) return method === "GET" ? "listed" : "made";
  const isGone = method === "DELETE" && url === `${collection}/:id`;
  return !isGone && /^\/:id(?:\/|$)/.test(url.slice(collection.length)) && url.startsWith(collection)
    ? "given"
    : undefined;
}

const argumentsOf = (verb: Verb, { ctx, input, organizations }: ToolCall) => {
  const { requestId, address, language } = ctx.caller;
  const visitor = { requestId, address, userAgent: "", ...(language && { language }) };
  const calling = verb.by === "anyone" ? { ...ctx, visitor } : ctx;
  return [calling, verb, withPage(verb, input), { organizations, features: TOOL_FEATURES }] as const;
};

/** Long lists are paged even if the call does not request it, within what an answer can hold. */
function withPage(verb: Verb, input: Record<string, unknown>): Record<string, unknown> {
  const limit = fieldsOf(verb.input)["limit"];
  const { limit: requestedLimit } = input;
  if (limit === undefined) return input;
  const isOpen = verb.paged === true && limit.default === undefined;
  if (requestedLimit === undefined) return isOpen ? { ...input, limit: ITEMS_A_PAGE } : input;
  // The verb rejects larger values.
  const { maximum = Number.POSITIVE_INFINITY } = limit as { maximum?: number };
  const isMany =
    typeof requestedLimit === "number" && requestedLimit > MOST_ITEMS && requestedLimit <= maximum;
  return isMany ? { ...input, limit: MOST_ITEMS } : input;
}

/** Without status codes, which mean nothing to assistants. */
const forAssistants = (description: string): string =>
  description
    .replaceAll(
      /(^|[.:;] )?\b(?:40[0-9]|42[29]|50[0-9])\b(?= (?:for|where|when|on|once|to)\b)/g,
      (_, start?: string) => (start === undefined ? "refused" : `${start}Refused`),
    )
    .trim();

function annotationsOf({ verb, method }: AnyListing): Annotations {
  const { hints = {}, action } = verb;
  const readOnlyHint = hints.readOnly ?? action === "read";
  return {
    readOnlyHint,
    destructiveHint: !readOnlyHint && Boolean(hints.destructive ?? method === "DELETE"),
    idempotentHint: hints.idempotent ?? (readOnlyHint || method === "PUT" || method === "DELETE"),
    openWorldHint: hints.openWorld ?? false,
  };
}

const outputOf = ({ paged, beside = {} }: Verb, output: TSchema): TSchema =>
  Type.Object({ result: output, ...(paged && { pagination: Type.Optional(Pagination) }), ...beside });

/** Only what the verb's output declares. */
function resultOf({ verb, write }: AnyListing, output: unknown): Record<string, unknown> {
  const { page, beside = {} } = verb.paged ? (output as Listed<unknown>) : {};
  return {
    result: write
      ? (JSON.parse(write(output, (word) => word, { first: "", last: "" }).toString()) as unknown)
      : visibleValue<unknown>(verb.output, verb.paged ? (output as Listed<unknown>).items : output),
    ...(page && { pagination: projectPage(page, "legacy") }),
    ...beside,
  };
}

/** Of a list that the specification returns whole. */
const ITEMS = 100;

const organizationId = Type.Unsafe<string | number>({
  type: ["string", "integer"],
  description: "Id, uuid or slug of one of the person's organizations.",
});
const anyOrganization = Type.Optional(organizationId);
const page = Type.Optional(Type.Integer({ minimum: 1, default: 1, description: "Counted from 1." }));
const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true } as const;
const INSIDE = { ...READS, openWorldHint: false };
const OUTSIDE = { ...READS, openWorldHint: true };

const callAs = async <I extends TSchema, O extends TSchema, R>(
  { ctx, organizations }: ToolCall,
  verb: Verb<I, O, R>,
  input: object,
): Promise<R> => callVerb(ctx, verb, input as never, { organizations, features: TOOL_FEATURES });

const Incidents = withoutMessages(Type.Array(Incident));
const Domains = withoutMessages(Type.Array(DomainListItem));
const Devices = withoutMessages(Type.Array(DeviceListItem));

const totalOf = ({ page: known, items }: Listed<unknown[]>): number => known?.total ?? items.length;

interface SpecTool<P extends TProperties> {
  name: string;
  title: string;
  description: string;
  input: TProperties;
  output: TObject<P>;
  verbs: Verb[];
  outside?: true;
  page: string;
  item?: VerbTool["item"];
  run: VerbTool["run"];
}

function tool<P extends TProperties>({ input, verbs, outside, run, ...own }: SpecTool<P>): VerbTool {
  const { organizationId: _, ...fields } = input;
  const others = Type.Object(fields);
  return {
    ...own,
    input: Type.Object(input),
    run: async (call) => run({ ...call, input: validInput(others, call.input) }),
    annotations: outside ? OUTSIDE : INSIDE,
    // There is no subject within the organization.
    ...(outside && { preview: async () => null }),
    isConfirmed: false,
    needs: verbs,
    limit: outside ? "toolbox" : "read",
  };
}

const { scanPorts, lookUpDns } = TOOL_VERBS;
const { stats: domainStats } = domainMetrics;

const dashboard = tool({
  name: "get_dashboard_stats",
  title: "Metrics of everything together",
  description:
    "How many domains, devices and services there are and how they are doing, and how many incidents go on.",
  input: { organizationId: anyOrganization },
  output: Type.Object((DashboardStats as TObject).properties),
  verbs: [getDashboardStats as unknown as Verb],
  page: "dashboard",
  run: async (call) => visibleValue(DashboardStats, await callAs(call, getDashboardStats, {})),
});

const { limit: _limit, page: _page, ...filters } = fieldsOf(IncidentsQuery);
const incidents = tool({
  name: "list_incidents",
  title: "List incidents",
  description: "Newest first unless sorted otherwise; `summary` counts those of the organization that go on.",
  input: {
    ...filters,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 20, description: "Incidents a page." }),
    ),
    page,
    organizationId: anyOrganization,
  },
  output: Type.Object({
    incidents: Incidents,
    total: Type.Integer({ description: "How many fit, in all pages together." }),
    summary: Type.Object({
      open: Type.Integer({ description: "Not resolved." }),
      critical: Type.Integer({ description: "Of these, of severity critical." }),
    }),
  }),
  verbs: [listIncidents as unknown as Verb],
  page: "incidents",
  item: "listed",
  async run(call) {
    const { limit = 20, page = 1, ...query } = call.input;
    const found = await callAs(call, listIncidents, { ...query, limit, page });
    const open = await callAs(call, listIncidents, { active: true, limit: 1 });
    const critical = await callAs(call, listIncidents, { active: true, severity: "critical", limit: 1 });
    return {
      incidents: visibleValue(Incidents, found.items),
      total: totalOf(found),
      summary: { open: totalOf(open), critical: totalOf(critical) },
    };
  },
});

const domains = tool({
  name: "get_domains_status",
  title: "Status of all domains",
  description: `How all domains are doing, and each of the first ${ITEMS}, the ones that are down first. \`list_domains\` has filters and pages.`,
  input: { organizationId: anyOrganization },
  output: Type.Object({
    summary: Type.Object({
      total: Type.Integer(),
      up: Type.Integer(),
      down: Type.Integer(),
      avgResponseTime: Type.Unsafe({
        type: ["number", "null"],
        description: "Milliseconds, of the last 24 hours.",
      }),
      uptime: Type.Unsafe({ type: ["number", "null"], description: "Percent, of the last 24 hours." }),
    }),
    domains: Domains,
  }),
  verbs: [domainStats as unknown as Verb, listDomains as unknown as Verb],
  page: "domains",
  item: "listed",
  async run(call) {
    const { total, up, down, avgResponseTime, avgUptime } = await callAs(call, domainStats, {});
    const { items } = await callAs(call, listDomains, { limit: ITEMS, sort: "status" });
    return {
      summary: { total, up, down, avgResponseTime, uptime: avgUptime },
      domains: visibleValue(Domains, items),
    };
  },
});

const dns = fieldsOf(lookUpDns.output);
const scanDns = tool({
  name: "scan_dns",
  title: "Look up all DNS records of a domain",
  description:
    "Looks up the common types of record. `look_up_dns` looks up one type, or queries another name server.",
  input: {
    domain: Type.String({
      minLength: 1,
      maxLength: 255,
      description: "The name.",
      examples: ["example.com"],
    }),
  },
  output: fromOutside(Type.Object(dns)),
  verbs: [lookUpDns as unknown as Verb],
  outside: true,
  page: "toolbox",
  run: async (call) =>
    visibleValue(
      lookUpDns.output,
      await callAs(call, lookUpDns, { domain: call.input["domain"], record_type: "ANY" }),
    ),
});

const portScan = tool({
  name: "scan_ports",
  title: "Scan the ports of a host",
  description:
    "Finds out which TCP ports are open and what listens there: the 100 that are open most often, or those that are named. Only scan hosts that you may scan.",
  input: {
    host: Type.String({ minLength: 1, maxLength: 255, description: "A host name or an IP address." }),
    ports: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: "A comma-separated list, a range, or both.",
        examples: ["22,80,8000-8100"],
      }),
    ),
  },
  output: fromOutside(
    Type.Object({
      host: Type.String({ description: "The host that was scanned." }),
      ...fieldsOf(scanPorts.output),
    }),
  ),
  verbs: [scanPorts as unknown as Verb],
  outside: true,
  page: "toolbox",
  async run(call) {
    const { host, ports } = call.input;
    const input = { target: host, scanType: ports === undefined ? "quick" : "custom", ports };
    const found = visibleValue<Record<string, unknown>>(
      scanPorts.output,
      await callAs(call, scanPorts, input),
    );
    return { host, ...found };
  },
});

const devices = tool({
  name: "get_devices_status",
  title: "Status of all devices of an organization",
  description: `How many devices are online, and each of the first ${ITEMS}, the ones that are offline first. \`list_devices\` has filters and pages.`,
  input: { organizationId },
  output: Type.Object({
    devices: Devices,
    total: Type.Integer(),
    online: Type.Integer(),
    offline: Type.Integer(),
  }),
  verbs: [deviceStats as unknown as Verb, listDevices as unknown as Verb],
  page: "devices",
  item: "listed",
  async run(call) {
    const { total, online, offline } = await callAs(call, deviceStats, {});
    const { items } = await callAs(call, listDevices, { limit: ITEMS, sort: "status" });
    return { devices: visibleValue(Devices, items), total, online, offline };
  },
});

/** The six tools of the specification (MCP), by its names; they call verbs like all others. */
export const SPEC_TOOLS: readonly VerbTool[] = [dashboard, incidents, domains, scanDns, portScan, devices];
