import { httpEvidenceSchema } from "../checks/evidence.ts";
import { type Route, routeSchema } from "../checks/route.ts";
import type { ProbeResult } from "../engine/probe/link.ts";
import { getValidator } from "../platform/operations/validator.ts";

/** What was seen of a monitor, until it is known whether an outage began with it. */
export interface Remembered {
  monitorId: number;
  location: string;
  at: number;
  /** JSON. */
  content: string;
}

/** A bounded memory of what failed checks saw; the oldest goes first, and all of it with the process. */
export interface EvidenceMemory {
  /** Remembers what these results carry, as far as it is what it should be. */
  note(results: readonly ProbeResult[]): void;
  has(monitorId: number): boolean;
  /** All there is of a monitor, oldest first; it is forgotten here. */
  take(monitorId: number): Remembered[];
}

const MAX_CHARACTERS = 16 * 1024 * 1024;
/** Of one check; a monitor has as many as it has locations, and those that confirm. */
const MAX_CONTENT = 65_536;
const MAX_OF_MONITOR = 8;

/** Evidence from a probe is validated before it is stored, because probes are not trusted. */
const isEvidence = getValidator(httpEvidenceSchema, { isText: false });
const isRoute = getValidator(routeSchema, { isText: false });

export function createEvidenceMemory(maxCharacters = MAX_CHARACTERS): EvidenceMemory {
  /** In the order of their last results. */
  const byMonitor = new Map<number, Remembered[]>();
  let characters = 0;
  const take = (monitorId: number): Remembered[] => {
    const known = byMonitor.get(monitorId) ?? [];
    byMonitor.delete(monitorId);
    for (const { content } of known) characters -= content.length;
    return known;
  };
  const add = (one: Remembered) => {
    const others = take(one.monitorId).filter(
      ({ at, location }) => at !== one.at || location !== one.location,
    );
    const newest = [...others, one].slice(-MAX_OF_MONITOR);
    for (const { content } of newest) characters += content.length;
    byMonitor.set(one.monitorId, newest);
    for (const oldest of byMonitor.keys()) {
      if (characters <= maxCharacters) return;
      take(oldest);
    }
  };
  return {
    note(results) {
      for (const result of results) {
        const { monitorId, location, scheduledAt: at } = result;
        const known = byMonitor.get(monitorId)?.find((one) => one.at === at && one.location === location);
        const content = result.route === undefined ? contentOf(result) : routed(known, result);
        if (content !== null) add({ monitorId, location, at, content });
      }
    },
    has: (monitorId) => byMonitor.has(monitorId),
    take: (monitorId) => take(monitorId).sort((a, b) => a.at - b.at),
  };
}

/** The route that comes after a failure; null where there is none, or it is not as it should be. */
export const routeOf = ({ route, verdict }: ProbeResult): Route | null =>
  route !== undefined && verdict === "failed" && isRoute(route) ? route : null;

/** What is known already, with the route that came for it. */
function routed(known: Remembered | undefined, result: ProbeResult): string | null {
  const route = routeOf(result);
  return known === undefined || route === null ? null : withRoute(known.content, route);
}

/** What a failed check saw, and the way to where it failed. JSON. */
export const withRoute = (content: string, route: Route): string =>
  JSON.stringify({ ...JSON.parse(content), route });

/** Null where there is none, or it is not as it should be. */
function contentOf(result: ProbeResult): string | null {
  const { evidence, reason, statusCode, address, protocol, phases } = result;
  if (evidence === undefined || result.verdict !== "failed" || !isEvidence(evidence)) return null;
  const content = JSON.stringify({ reason, statusCode, address, protocol, phases, ...evidence });
  return content.length > MAX_CONTENT ? null : content;
}

declare module "../platform/context.ts" {
  interface Context {
    /** What failed checks saw, until it is known whether an outage begins. Absent where no engine runs. */
    evidence?: EvidenceMemory;
  }
}
