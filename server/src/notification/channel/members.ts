import type { Db } from "../../store/db.ts";
import { listMembers, listOutagesToTell } from "../../store/queries/told-together.ts";
import type { Language } from "../../texts/languages.ts";
import type { Say } from "./digest-words.ts";
import type { Members, Message } from "./message.ts";

/** So many are named. */
const MAX_NAMED = 3;
/** Characters that they may take together in a title, unless the first one alone is longer. */
const MAX_NAMES_LENGTH = 60;
/** English without the comma before the last, as in "and 17 more". */
const LISTS: Record<Language, string> = { en: "en-GB", de: "de", zh: "zh" };

/**
 * A message with those for which it speaks, as they are when it is sent: what joins while it waits need not be told again.
 * One that a channel gets of a member by itself stays as it is.
 */
export async function withMembers(db: Db, message: Message): Promise<Message> {
  const { event, incidentId, monitor, fact } = message;
  const mayShare = event === "monitor.down" || fact.code === "notice.recovered_together";
  if (incidentId === null || !monitor || !mayShare) return message;
  const [lead, ...others] = await listMembers(db, incidentId);
  if (lead?.monitorId !== monitor.id) return message;
  const told = [lead, ...others.filter(({ isDown }) => isDown || event !== "monitor.down")];
  if (told.length === 1) return message;
  return speakingFor(
    message,
    told.map(({ name }) => name),
  );
}

/** A message that speaks for all of these. */
export const speakingFor = (message: Message, names: readonly string[]): Message => ({
  ...message,
  members: { names: names.slice(0, MAX_NAMED), count: names.length },
});

/**
 * The messages that these make where each is told by itself, as a digest does: what speaks for several is one of each. Who
 * has a message of their own keeps that, and of what was held nobody counts who is up again.
 */
export async function toldSingly(
  db: Db,
  messages: readonly Message[],
  { isSummary }: { isSummary: boolean },
): Promise<Message[]> {
  const keyOf = ({ event }: Message, monitorId: number | undefined) => `${event} ${monitorId}`;
  const own = new Set(messages.map((one) => keyOf(one, one.monitor?.id)));
  const each: Message[] = [];
  for (const message of messages) {
    each.push(message);
    const { incidentId, monitor } = message;
    const { members } = await withMembers(db, message);
    if (!members || !monitor || incidentId === null) continue;
    for (const { monitorId: id, isDown, ...member } of await listMembers(db, incidentId)) {
      const isUntold = isDown || !isSummary || message.event !== "monitor.down";
      if (isUntold && !own.has(keyOf(message, id)))
        each.push({ ...message, reason: null, monitor: { ...monitor, id, ...member } });
    }
  }
  return each;
}

/**
 * What withMembers gives, and the ids of the outages that it says have begun. These are read first: what joins meanwhile is
 * told twice rather than never.
 */
export async function withOutages(
  db: Db,
  message: Message,
): Promise<{ message: Message; outages: number[] }> {
  const { event, incidentId, monitor, fact } = message;
  if (event !== "monitor.down" || incidentId === null || !monitor)
    return { message: await withMembers(db, message), outages: [] };
  const open = await listOutagesToTell(db, incidentId);
  const whole = await withMembers(db, message);
  const own = open.flatMap(({ id, monitorId }) => (monitorId === monitor.id ? id : []));
  // A graver one says of how many it is one, as they were when it joined them.
  const newest = fact.code === "notice.down_among" ? Math.max(...own) : 0;
  const told = open.filter(({ id, isOfGroup }) => isOfGroup && (whole.members !== undefined || id <= newest));
  return { message: whole, outages: [...new Set([...own, ...told.map(({ id }) => id)])] };
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
