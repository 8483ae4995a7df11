import type { LiveReader } from "../../context.ts";
import type { LiveEventType } from "../../wire/live.ts";
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
const KINDS: Readonly<Partial<Record<LiveEventType, string>>> = {
  status: "domains",
  "monitor.changed": "domains",
  "service.status": "services",
  "service.changed": "services",
  "device.status": "devices",
  "device.changed": "devices",
  incident: "incidents",
};

type Heard = NonNullable<LiveReader["hear"]>;

/** The addresses of what an event of the live stream says has changed. */
function changedUris({ type, payload }: NonNullable<Parameters<Heard>[0]>): string[] {
  const kind = KINDS[type as LiveEventType];
  if (!kind) return [];
  const { monitorId, monitorIds, uuid, id } = JSON.parse(payload) as Data;
  const ids = kind === "incidents" ? [id, uuid] : [...(monitorIds ?? [monitorId]), uuid];
  return [...ids.flatMap((own) => (own === undefined ? [] : [uriOf(kind, own)])), DASHBOARD_URI];
}

/**
 * Hears the events of a live stream, and gives the addresses of what changed, each once in a while; `missed`: it cannot be known
 * what has. `end` stops it.
 */
export function gatherChanges(
  tell: (uris: string[]) => void,
  missed: () => void,
): { hear: Heard; end(): void } {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    const uris = [...waiting];
    waiting.clear();
    try {
      tell(uris);
    } catch {
      missed();
    }
  };
  return {
    hear(event) {
      if (event === null) return missed();
      for (const uri of changedUris(event)) waiting.add(uri);
      if (waiting.size > 0) timer ??= setTimeout(flush, GATHER_MS);
    },
    end: () => clearTimeout(timer),
  };
}
