import type { Db } from "../../store/db.ts";
import {
  listNamedOutages,
  listThreadOutages,
  type NamedOutage,
  type ThreadOutage,
} from "../../store/queries/thread-outages.ts";
import type { Language } from "../../texts/languages.ts";
import { listBeginnings } from "./beginning.ts";
import type { Say } from "./digest-words.ts";
import type { Members, Message } from "./message.ts";
import { inOrder } from "./outage-rules.ts";

/** So many are named. */
const MAX_NAMED = 3;
/** Characters that they may take together in a title, unless the first one alone is longer. */
const MAX_NAMES_LENGTH = 60;
/** English without the comma before the last, as in "and 17 more". */
const LISTS: Record<Language, string> = { en: "en-GB", de: "de", zh: "zh" };

/** Of which thread it is; null: of none. */
type Threaded = { message: Message; threadId: number | null };

/**
 * The outages for which each of these messages speaks, in the order in which it names them. One that says that something is down
 * speaks of what is down by now: none of what it was written for, once that is over.
 */
export async function listSpokenFor(db: Db, messages: readonly Threaded[]): Promise<NamedOutage[][]> {
  const threadIds = messages.flatMap(({ message, threadId }) =>
    message.event === "monitor.down" && threadId !== null ? threadId : [],
  );
  const outages = await listThreadOutages(db, { threadIds });
  const byThread = Map.groupBy(outages, ({ threadId }) => threadId);
  const ids = messages.map(({ message, threadId }) =>
    message.event === "monitor.down"
      ? begunIn(message, byThread.get(threadId ?? 0) ?? [])
      : (message.outages ?? []),
  );
  const named = new Map((await listNamedOutages(db, ids.flat())).map((one) => [one.id, one]));
  return ids.map((own) => own.flatMap((id) => named.get(id) ?? []));
}

/** Of what a thread tells of: the outage that the message is about, and those of its incident, as it is now. */
function begunIn({ monitor, fact }: Message, outages: readonly ThreadOutage[]): number[] {
  const open = outages.filter(({ endedAt }) => endedAt === null);
  const isOwn = ({ monitorId }: ThreadOutage) => monitorId === monitor?.id;
  const down = open.findLast(isOwn);
  const own = down ?? outages.findLast(isOwn);
  if (!own) return [];
  // A graver one says of how many it is one, and names none of them; the cause of all speaks for them.
  if (down && fact.code === "notice.down_among" && own.leadId !== own.monitorId) return [own.id];
  const others = open.filter(
    ({ incidentId, isInMaintenance, monitorId }) =>
      incidentId !== null && incidentId === own.incidentId && !isInMaintenance && monitorId !== own.monitorId,
  );
  return [...(down ? [down] : []), ...inOrder(others)].map(({ id }) => id);
}

/**
 * A message of a thread with those for which it speaks, as they are when it is sent: what joins while it waits need not be told
 * again. And the outages (thread_outages) that it says have begun: what joins meanwhile is told twice rather than never.
 */
export async function withMembers(
  db: Db,
  message: Message,
  threadId: number | null,
): Promise<{ message: Message; outages: number[] }> {
  const [named = []] = await listSpokenFor(db, [{ message, threadId }]);
  const [first] = named;
  const isBeginning = message.event === "monitor.down";
  const outages = isBeginning ? named.map(({ id }) => id) : [];
  const isOver = isBeginning && first !== undefined && first.monitorId !== message.monitor?.id;
  const said = isOver ? await insteadOf(db, message, first) : message;
  if (named.length < 2) return { message: said, outages };
  const names = named.map(({ name }) => name);
  return { message: speakingFor(said, names), outages };
}

/** Those of these messages that tell of others in the place of what they are about, since that is over. Their numbers. */
export async function listReplaced(
  db: Db,
  messages: readonly (Threaded & { id: number })[],
): Promise<number[]> {
  const spokenFor = await listSpokenFor(db, messages);
  return messages.flatMap(({ id, message }, at) => {
    const named = message.event === "monitor.down" ? (spokenFor[at] ?? []) : [];
    return named.length > 0 && named.every(({ monitorId }) => monitorId !== message.monitor?.id) ? id : [];
  });
}

/** What is up again by now is not said to be down, but what is of the same incident. */
async function insteadOf(db: Db, message: Message, first: NamedOutage): Promise<Message> {
  const { incidentId } = message;
  const [beginning] = await listBeginnings(db, [{ ...first, incidentId }]);
  return beginning ? { ...message, ...beginning.message } : message;
}

/** A message that speaks for all of these. */
export const speakingFor = (message: Message, names: readonly string[]): Message => ({
  ...message,
  members: { names: names.slice(0, MAX_NAMED), count: names.length },
});

/**
 * The messages that these make where each is told by itself, as a digest does: what speaks for several is one of each. Who
 * has a message of their own keeps that.
 */
export async function toldSingly(db: Db, messages: readonly Threaded[]): Promise<Message[]> {
  const keyOf = ({ event }: Message, monitorId: number | undefined) => `${event} ${monitorId}`;
  const own = new Set(messages.map(({ message }) => keyOf(message, message.monitor?.id)));
  const spokenFor = await listSpokenFor(db, messages);
  return messages.flatMap(({ message }, at) => {
    const { monitor } = message;
    const named = spokenFor[at] ?? [];
    const others = named.filter(({ monitorId }) => !own.has(keyOf(message, monitorId)));
    if (!monitor) return [message];
    const isOver = named.length > 0 && named.every(({ monitorId }) => monitorId !== monitor.id);
    return [
      ...(isOver ? [] : [message]),
      ...others.map(({ monitorId: id, name, severity }) => ({
        ...{ ...message, reason: null, monitor: { ...monitor, id, name, severity } },
      })),
    ];
  });
}

/** "Shop, API, Mail and 17 more": as many names as a title has room for. */
export function namesInWords({ names, count }: Members, language: Language, say: Say): string {
  const between = say("names.between");
  let named = names.length;
  while (named > 1 && names.slice(0, named).join(between).length > MAX_NAMES_LENGTH) named -= 1;
  const shown = names.slice(0, named);
  return count === named
    ? new Intl.ListFormat(LISTS[language], { type: "conjunction" }).format(shown)
    : say("names.more", { names: shown.join(between), others: count - named });
}
