import { fact } from "../../texts/fact.ts";
import { type DigestGroup, type Message, newMessage, type ToldEvent } from "./message.ts";

/** So many names are told. */
const DIGEST_NAMES = 10;

/** The gravest comes first. */
const RANK: Readonly<Record<ToldEvent, number>> = {
  "monitor.down": 0,
  reminder: 1,
  "monitor.flapping": 2,
  "monitor.degraded": 3,
  "monitor.stopped": 4,
  acknowledged: 5,
  "monitor.settled": 6,
  "monitor.up": 7,
};

/** One message that says what these say, which are in their order. */
export function digestOf(messages: readonly Message[], isSummary: boolean): Message {
  const groups = [...Map.groupBy(messages, ({ event }) => event as ToldEvent)]
    .toSorted(([a], [b]) => RANK[a] - RANK[b])
    .map(([event, own]) => groupOf(event, own));
  const gravest = messages.find(({ event }) => event === groups[0]?.event);
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  return newMessage({
    event: "digest",
    type: gravest?.type ?? "info",
    at: Math.min(...messages.map(({ at }) => at)),
    fact: fact("notice.digest", { count }),
    digest: { isSummary, groups },
  });
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
