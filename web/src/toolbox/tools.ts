import {
  Activity,
  BadgeInfo,
  FileLock,
  Globe,
  type LucideIcon,
  MapPin,
  Network,
  ScanSearch,
  Waypoints,
} from "lucide-react";
import { TOOL_FORMS } from "../../../server/src/checks/toolbox/schemas/forms.ts?schemas";
import type { FieldSchema } from "../forms/schema.ts";
import { asSearch, fieldNames, hostIn, type ToolSearch, type ToolValues } from "./tool-search.ts";

/** Every tool that the page can show, in its order there. */
export const toolNames = [
  "dns-lookup",
  "ping",
  "traceroute",
  "tls-inspection",
  "http-inspection",
  "port-scanner",
  "ip-scanner",
  "rdap",
] as const;
export type ToolName = (typeof toolNames)[number];

export const toolIcons: Record<ToolName, LucideIcon> = {
  "dns-lookup": Network,
  ping: Activity,
  traceroute: Waypoints,
  "tls-inspection": FileLock,
  "http-inspection": Globe,
  "port-scanner": ScanSearch,
  "ip-scanner": MapPin,
  rdap: BadgeInfo,
};

export interface ToolField {
  name: keyof ToolValues;
  schema: FieldSchema;
}

/** The fields of a tool, as the server declares them: the one that it is about first, what others decide on right after those. */
export function fieldsOf(tool: ToolName): ToolField[] {
  const form = TOOL_FORMS.find(({ name }) => name === tool);
  const { properties = {} } = (form?.input ?? {}) as FieldSchema;
  const fields = Object.entries(properties).flatMap(([own, schema]) => {
    const name = fieldNames.find((one) => one === own);
    return name === undefined ? [] : [{ name, schema }];
  });
  const isFirst = ({ name }: ToolField) => name === form?.subject;
  const own = fields.filter(({ schema }) => schema["x-when"] === undefined);
  return [...own.filter(isFirst), ...own.filter((field) => !isFirst(field))].flatMap((field) => [
    field,
    ...fields.filter(({ schema }) => Object.keys(schema["x-when"] ?? {})[0] === field.name),
  ]);
}

export const subjectOf = (tool: ToolName): keyof ToolValues => fieldsOf(tool)[0]?.name ?? "target";

/** The request body from a form's values: numbers as numbers, and nothing that is empty or does not apply. */
export function bodyOf(tool: ToolName, values: ToolValues): object {
  const shown = fieldsOf(tool).filter((field) => isShown(field, values));
  return Object.fromEntries(
    shown.flatMap(({ name, schema }) => {
      const value = values[name]?.trim() ?? "";
      if (value === "" && name !== subjectOf(tool)) return [];
      return [[name, schema.type === "integer" && value !== "" ? Number(value) : value]];
    }),
  );
}

/** Whether a field applies, given the others' values. */
export function isShown({ schema }: ToolField, values: ToolValues): boolean {
  return Object.entries(schema["x-when"] ?? {}).every(([name, choices]) =>
    choices.includes(values[name as keyof ToolValues] ?? ""),
  );
}

const isAddress = (text: string) => text.includes(":") || /^[\d.]+$/.test(text);
const isHost = (text: string) => !/^as\d+$/i.test(text);

/** The address of another tool's page, with the host that this one is about, if the other can do with it. */
export function searchFor(tool: ToolName, current: ToolName, given: ToolValues): ToolSearch {
  if (tool === current) return asSearch(tool, given);
  const host = hostIn(given[subjectOf(current)] ?? "");
  const fits = host !== "" && (tool === "ip-scanner" ? isAddress(host) : isHost(host));
  return asSearch(tool, fits ? { [subjectOf(tool)]: host } : {});
}
