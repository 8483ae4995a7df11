import {
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import { getIncident, listIncidents } from "../../incidents/list-incidents.ts";
import { getDevice, listDevices } from "../../monitors/devices/devices.ts";
import { getDomain, listDomains } from "../../monitors/domains.ts";
import { getService, listServices } from "../../monitors/services.ts";
import { PublicError } from "../../platform/errors.ts";
import { callVerb } from "../../platform/operations/call.ts";
import type { Verb } from "../../platform/operations/operation.ts";
import type { Listed } from "../../platform/operations/paging.ts";
import { getDashboardStats } from "../../reports/list-recent-activity.ts";
import { answerTexts, linksTo } from "../tools/answer.ts";
import { TOOL_FEATURES } from "../tools/spec-tools.ts";
import { type ToolContext, visibleValue, withoutMessages } from "../tools/tool.ts";

const ITEMS_A_PAGE = 50;
const TYPE = "application/json";
/** The kind, and the page of its list. */
const CURSOR = /^(\d{1,2}):(\d{1,6})$/;

interface Kind {
  name: string;
  noun: string;
  list: Verb;
  get: Verb;
  filter?: object;
}

const as = (verb: unknown) => verb as Verb;

/** In the order of the list: problems first. */
const KINDS: readonly Kind[] = [
  {
    name: "incidents",
    noun: "incident",
    list: as(listIncidents),
    get: as(getIncident),
    filter: { active: true },
  },
  { name: "domains", noun: "domain", list: as(listDomains), get: as(getDomain) },
  { name: "services", noun: "service", list: as(listServices), get: as(getService) },
  { name: "devices", noun: "device", list: as(listDevices), get: as(getDevice) },
];

export const DASHBOARD_URI = "vedette://reports/dashboard";
const DASHBOARD: Resource = {
  uri: DASHBOARD_URI,
  name: "dashboard",
  title: "Report: metrics of everything together",
  description:
    "How many domains, services and devices there are, how they are doing, and which incidents go on.",
  mimeType: TYPE,
};

export const uriOf = (kind: string, id: string | number): string => `vedette://${kind}/${id}`;

/** Static: discloses nothing of an organization. */
export const RESOURCE_TEMPLATES: ResourceTemplateType[] = KINDS.map(({ name, noun }) => ({
  uriTemplate: `vedette://${name}/{id}`,
  name,
  title: `One ${noun}`,
  description: `A ${noun} by its integer id or uuid: its settings and how it is doing.`,
  mimeType: TYPE,
}));

const call = (ctx: ToolContext, verb: Verb, input: object) =>
  callVerb(ctx, verb, input as never, { features: TOOL_FEATURES });

/** Monitors, open incidents and the report, by page. Kinds that the caller may not read are left out. */
export async function listResources(
  ctx: ToolContext,
  cursor?: string,
): Promise<{ resources: Resource[]; nextCursor?: string }> {
  const [, kindText = "0", pageText = "1"] = cursor === undefined ? [] : (CURSOR.exec(cursor) ?? []);
  if (cursor !== undefined && !CURSOR.test(cursor))
    throw new ResourceNotFoundError(cursor, "Unknown cursor.");
  const [at, page] = [Number(kindText), Number(pageText)];
  const first = cursor === undefined ? [DASHBOARD] : [];
  for (let next = at; next < KINDS.length; next += 1) {
    const kind = KINDS[next] as Kind;
    const ownPage = next === at ? Math.max(1, page) : 1;
    const found = await pageOfKind(ctx, kind, ownPage);
    if (!found) continue;
    const resources = [...first, ...found.items.map((item) => resourceOf(kind, item))];
    const following = found.isLast ? `${next + 1}:1` : `${next}:${ownPage + 1}`;
    const isEnd = found.isLast && next + 1 >= KINDS.length;
    if (resources.length === 0 && !isEnd) continue;
    return { resources, ...(!isEnd && { nextCursor: following }) };
  }
  return { resources: first };
}

interface Item {
  id: number;
  name?: string;
  title?: string;
  status?: string;
}

async function pageOfKind(ctx: ToolContext, kind: Kind, page: number) {
  try {
    const input = { ...kind.filter, page, limit: ITEMS_A_PAGE };
    const found = (await call(ctx, kind.list, input)) as Listed<Item[]>;
    const total = found.page?.total ?? found.items.length;
    return { items: found.items, isLast: page * ITEMS_A_PAGE >= total };
  } catch (error) {
    const isRefused = error instanceof PublicError && ["scope_required", "forbidden"].includes(error.kind);
    if (isRefused) return null;
    throw error;
  }
}

const resourceOf = ({ name, noun }: Kind, { id, name: own, title, status }: Item): Resource => ({
  uri: uriOf(name, id),
  name: `${noun} ${id}`,
  title: own ?? title ?? `${noun} ${id}`,
  ...(status && { description: `Status: ${status}` }),
  mimeType: TYPE,
});

/** As JSON, with notes. Throws ResourceNotFoundError for what does not exist, or not for the caller. */
export async function readResource(ctx: ToolContext, uri: string, address: string) {
  const { verb, input, kind, id } = addressed(uri);
  try {
    const value = await call(ctx, verb, input);
    const schema = withoutMessages(verb.output);
    const result = visibleValue<Record<string, unknown>>(verb.output, value);
    const [data = "", words = ""] = answerTexts(result, { schema, links: linksTo(address, kind, { id }) });
    return [
      { uri, mimeType: TYPE, text: data },
      { uri, mimeType: "text/plain", text: words },
    ];
  } catch (error) {
    if (error instanceof PublicError && error.kind === "not_found") throw new ResourceNotFoundError(uri);
    throw error;
  }
}

/** Throws as `readResource` does. */
export async function assertReadable(ctx: ToolContext, uri: string): Promise<void> {
  await readResource(ctx, uri, "");
}

function addressed(uri: string): { verb: Verb; input: object; kind: string; id?: string } {
  if (uri === DASHBOARD_URI) return { verb: as(getDashboardStats), input: {}, kind: "dashboard" };
  const [, name, id = ""] = /^vedette:\/\/([a-z]{1,20})\/([\w-]{1,40})$/.exec(uri) ?? [];
  const kind = KINDS.find((one) => one.name === name);
  if (!kind) throw new ResourceNotFoundError(uri.slice(0, 200));
  return { verb: kind.get, input: { id }, kind: kind.name, id };
}
