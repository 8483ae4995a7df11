import type { LiveReader } from "../../context.ts";
import { DASHBOARD_URI, uriOf } from "./resources.ts";

/** Told together: a resource that changes ten times in a moment is read once. */
const GATHER_MS = 500;

interface Data {
  monitorId?: number;
  monitorIds?: number[];
  uuid?: string;
  id?: number;
}

/** Which kind of resource a type of event is about. Single results are none: there is one for every check. */
const KINDS: Readonly<Record<string, string>> = {
  status: "domains",
  "monitor.changed": "domains",
  "service.status": "services",
  "service.changed": "services",
  "device.status": "devices",
  "device.changed": "devices",
  incident: "incidents",
};

/** The addresses of what an event of the live stream, as it is sent, says has changed. */
function changedUris(text: string): string[] {
  const kind = KINDS[/^event: (.+)$/m.exec(text)?.[1] ?? ""];
  const data = /^data: (.+)$/m.exec(text)?.[1];
  if (!kind || data === undefined) return [];
  const { monitorId, monitorIds, uuid, id } = JSON.parse(data) as Data;
  const ids = kind === "incidents" ? [id, uuid] : [...(monitorIds ?? [monitorId]), uuid];
  return [...ids.flatMap((own) => (own === undefined ? [] : [uriOf(kind, own)])), DASHBOARD_URI];
}

/** Takes what a live stream writes, and gives the addresses of what changed, each once in a while. `end` stops it. */
export function gatherChanges(tell: (uris: string[]) => void): { take: LiveReader["write"]; end(): void } {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    const uris = [...waiting];
    waiting.clear();
    tell(uris);
  };
  return {
    take(...texts) {
      for (const text of texts) for (const uri of changedUris(text.toString())) waiting.add(uri);
      if (waiting.size > 0) timer ??= setTimeout(flush, GATHER_MS);
    },
    end: () => clearTimeout(timer),
  };
}
