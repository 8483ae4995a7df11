import { type Range, ranges } from "../api/monitor.ts";

/** What of a monitor's page stands in its address: what its charts show, and which of a device's lists. */
interface PageSearch {
  range?: Range | undefined;
  zoom?: string | undefined;
  list?: string | undefined;
}

const textIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Reads it; what is none of it is left out. */
export const pageSearch = (search: Record<string, unknown>): PageSearch => ({
  range: ranges.find((name) => name === search["range"]),
  zoom: textIn(search["zoom"]),
  list: textIn(search["list"]),
});
