import { createChannel, deleteChannel, updateChannel } from "../../../src/alerts/operations/channels.ts";
import { acknowledgeIncident } from "../../../src/incidents/acknowledge-incidents.ts";
import { deleteIncident, reopenIncident } from "../../../src/incidents/create-incident.ts";
import { mergeIncident } from "../../../src/incidents/merge-incident.ts";
import { splitIncident } from "../../../src/incidents/split-incident.ts";
import type { Context } from "../../../src/platform/context.ts";
import type { Of } from "./story-happenings.ts";
import { type Book, noteKnown, wantsEnds } from "./story-oracle.ts";
import {
  CHANNELS,
  type ChannelName,
  type callerOf,
  channelInput,
  filterOf,
  type Organization,
} from "./story-setup.ts";

/** By whom, and where, something is changed. */
interface Acting extends ReturnType<typeof callerOf> {
  ctx: Context;
  organization: Organization;
  books: Book[];
}

const NO_FILTER = { events: [], severities: [], tags: [] };

/** What a channel was sent that is new. */
export const newBook = (id: number, name: ChannelName): Book => ({
  id,
  name,
  filter: filterOf(name),
  hadNoEnds: false,
  listed: new Set(),
  notified: new Map(),
  log: [],
  answers: "takes",
  isOn: true,
  known: new Set(),
  missedEnds: new Set(),
  behindUntil: 0,
  taken: new Set(),
});

/** People, or what is at the other end of it, change a channel. */
export async function onChannel(
  { books, attempt, call, ctx }: Acting,
  one: Of<"break" | "refuse" | "fix" | "switch" | "drop" | "add" | "filter">,
): Promise<void> {
  const name = CHANNELS[one.channel] as ChannelName;
  const book = books.find((own) => own.name === name);
  if (!book) {
    if (one.is !== "add") return;
    const { id } = await call(ctx, createChannel, channelInput(name));
    books.push(newBook(id, name));
    return;
  }
  const id = `${book.id}`;
  switch (one.is) {
    case "add":
      return;
    case "break":
      book.answers = "fails";
      return;
    case "refuse":
      book.answers = "refuses";
      return;
    case "fix":
      book.answers = "takes";
      return;
    case "drop":
      books.splice(books.indexOf(book), 1);
      return attempt(deleteChannel, { id });
    case "switch":
      book.isOn = !book.isOn;
      noteKnown(book);
      return attempt(updateChannel, { id, enabled: book.isOn });
    case "filter":
      book.filter = one.filter;
      noteKnown(book);
      book.hadNoEnds ||= !wantsEnds(book);
      return attempt(updateChannel, { id, ...NO_FILTER, ...one.filter });
  }
}

export type IncidentAct = "merge" | "split" | "acknowledge" | "forget" | "reopen";

/** People change the newest incident, or the newest two. */
export async function onIncident({ ctx, organization, attempt }: Acting, is: IncidentAct): Promise<void> {
  const rows = await ctx.store.db
    .selectFrom("incidents")
    .select(["id", "resolved_at as resolvedAt"])
    .where("organization_id", "=", organization.id)
    .where("merged_into", "is", null)
    .orderBy("id", "desc")
    .execute();
  const [first, second] = is === "reopen" ? rows.filter(({ resolvedAt }) => resolvedAt !== null) : rows;
  if (!first) return;
  const id = `${first.id}`;
  if (is === "merge" && second) await attempt(mergeIncident, { id: `${second.id}`, into: first.id });
  if (is === "split") await attempt(splitIncident, { id });
  if (is === "acknowledge") await attempt(acknowledgeIncident, { id });
  if (is === "forget") await attempt(deleteIncident, { id });
  if (is === "reopen") await attempt(reopenIncident, { id });
}
