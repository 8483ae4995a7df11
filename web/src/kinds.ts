import { Activity, Globe, type LucideIcon, Server } from "lucide-react";

/**
 * In the API, whose list has one below its number, and in the app. `texts`, `formTexts`: of it and of its
 * settings.
 */
export const monitorKinds = {
  domain: {
    id: "domain",
    icon: Globe,
    api: "/api/domains",
    pages: { list: "/domains", add: "/domains/new", one: "/domains/$id", edit: "/domains/$id/edit" },
    texts: "monitors/domain",
    formTexts: "monitors/domain/form",
    historyPath: "monitoring/history",
    addressOf: ({ url = "" }) => url,
    typeOf: () => "http",
  },
  service: {
    id: "service",
    icon: Activity,
    api: "/api/services",
    pages: { list: "/services", add: "/services/new", one: "/services/$id", edit: "/services/$id/edit" },
    texts: "monitors/service",
    formTexts: "monitors/service/form",
    historyPath: "history",
    addressOf: ({ target = "" }) => target,
    typeOf: ({ protocol }) => protocol ?? "",
  },
  device: {
    id: "device",
    icon: Server,
    api: "/api/devices",
    pages: { list: "/devices", add: "/devices/new", one: "/devices/$id", edit: "/devices/$id/edit" },
    texts: "monitors/device",
    formTexts: "monitors/device/form",
    historyPath: "monitoring/status-history",
    addressOf: ({ hostname }) => hostname ?? "",
    typeOf: () => "agent",
  },
} as const satisfies Record<string, MonitorKindTraits>;

interface MonitorKindTraits {
  id: string;
  icon: LucideIcon;
  api: `/api/${string}`;
  pages: Record<"list" | "add" | "one" | "edit", `/${string}`>;
  texts: `monitors/${string}`;
  formTexts: `monitors/${string}/form`;
  /** Where the API has what its checks found, below the address of one. */
  historyPath: string;
  /** What is checked, as it was typed. */
  addressOf(monitor: OfAnyKind): string;
  /** Of its check. */
  typeOf(monitor: OfAnyKind): string;
}

/** A monitor with the fields that its kind says in which what is checked, and how. */
interface OfAnyKind {
  name: string;
  protocol?: string | null;
  url?: string;
  target?: string;
  hostname?: string | null;
}

export type KindId = keyof typeof monitorKinds;
export type MonitorKind = (typeof monitorKinds)[KindId];

/** The kind of that name; undefined for one that this app has no pages for. */
export const kindOf = (id: string): MonitorKind | undefined =>
  Object.values(monitorKinds).find((kind) => kind.id === id);

/** The page of one monitor, for links that are not worth a router's subscription each. */
export const pageOf = (kind: MonitorKind, id: number): string => kind.pages.one.replace("$id", String(id));

export const editPageOf = (kind: MonitorKind, id: number): string =>
  kind.pages.edit.replace("$id", String(id));
