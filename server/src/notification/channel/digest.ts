import { fact } from "../../texts/fact.ts";
import type { DigestGroup, Message } from "./message.ts";

/** So many names are told. */
const DIGEST_NAMES = 10;

const GRAVEST_FIRST = [
  "monitor.down",
  "reminder",
  "monitor.flapping",
  "monitor.degraded",
  "monitor.stopped",
  "acknowledged",
  "monitor.settled",
  "monitor.up",
] as const satisfies DigestGroup["event"][];

/** One message that says what these say, which are in their order. */
export function digestOf(messages: readonly Message[], isSummary: boolean): Message {
  const groups = GRAVEST_FIRST.flatMap((event) => {
    const own = messages.filter((message) => message.event === event);
    return own.length === 0 ? [] : [groupOf(event, own)];
  });
  const gravest = messages.find(({ event }) => event === groups[0]?.event);
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  return {
    event: "digest",
    type: gravest?.type ?? "info",
    at: Math.min(...messages.map(({ at }) => at)),
    fact: fact("notice.digest", { count }),
    reason: null,
    monitor: null,
    incidentId: null,
    locations: [],
    outageMs: null,
    digest: { isSummary, groups },
  };
}

function groupOf(event: DigestGroup["event"], messages: readonly Message[]): DigestGroup {
  const names = new Map(messages.map(({ monitor }) => [monitor?.id, monitor?.name ?? ""]));
  const times = messages.map(({ at }) => at);
  return {
    event,
    count: names.size,
    names: [...names.values()].slice(0, DIGEST_NAMES),
    from: Math.min(...times),
    to: Math.max(...times),
  };
}
