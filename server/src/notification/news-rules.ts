import type { Together } from "../incident/live-incident.ts";
import type { NoticeEvent } from "../status/state.ts";
import { type Fact, fact } from "../texts/fact.ts";
import type { NoticeType } from "./rules.ts";

/** What is said of a notice, and of which monitor. */
export interface Said {
  monitorId: number;
  event: NoticeEvent;
  type: NoticeType;
  fact: Fact;
  /** To who was not told that it flaps: that the outage is over. Null: nothing. */
  otherwise: Fact | null;
}

/** What a channel is told of a notice. */
export interface ChannelNews extends Said {
  /** Whom it is for; null: people and programs. */
  audience: "people" | "programs" | null;
  standing: Standing;
}

/** In whose thread a channel is told of a monitor. */
export type Standing =
  /** In the monitor's own. */
  | { as: "itself" }
  /** In its own, and where a channel has a thread of the monitor that leads, nowhere: that says it already. */
  | { as: "member"; leadId: number }
  /** In that of the monitor that leads, and where a channel has none, in its own. */
  | { as: "graver"; leadId: number };

const ITSELF: Standing = { as: "itself" };

/**
 * What channels are told of a notice. Programs are told of each monitor by itself, people of those that share an incident
 * together: once, when the first goes down, when a graver one or their cause joins it, and once when all are up; who hears
 * nothing of the first, of each by itself. `at`: when it happened, milliseconds.
 */
export function newsOf(said: Said, together: Together | null, at: number): ChannelNews[] {
  if (!together) return [{ ...said, audience: null, standing: ITSELF }];
  return [
    { ...said, audience: "programs", standing: ITSELF },
    ...newsTogether(said, together, at).map((news) => ({ ...news, audience: "people" as const })),
  ];
}

function newsTogether(
  said: Said,
  { leadId, leadName: name, others, part }: Together,
  at: number,
): Omit<ChannelNews, "audience">[] {
  const among = (lead: string): Said => ({ ...said, fact: factAmong(said.fact, others + 1, lead) });
  if (part.is === "lead") return [{ ...among(part.after.name), standing: ITSELF }];
  if (part.is === "graver") return [{ ...among(part.than), standing: { as: "graver", leadId } }];
  const leads = said.monitorId === leadId;
  // That one flaps was told of it by itself, so that it has settled is, too.
  const isSettled = said.event === "monitor.settled";
  const ofItself = {
    ...{ ...said, otherwise: leads ? null : said.otherwise },
    standing: isSettled ? ITSELF : ({ as: "member", leadId } as const),
  };
  if (part.is === "member") return leads && !isSettled ? [] : [ofItself];
  const since = new Date(at).toISOString();
  const ofAll: Omit<ChannelNews, "audience"> = {
    ...{ monitorId: leadId, event: "monitor.up", type: "success", otherwise: null, standing: ITSELF },
    fact: fact("notice.recovered_together", { name, others, since }),
  };
  return leads ? [ofAll] : [ofItself, ofAll];
}

/** That a monitor is down, and that others are. */
function factAmong({ params = {}, because }: Fact, count: number, lead: string): Fact {
  const { name = "", since = "" } = params;
  return { ...fact("notice.down_among", { name, since, count, lead }), ...(because && { because }) };
}

/** What of it people are told who have heard of the monitor that leads. Undefined: nothing. */
export const newsInBrowsers = (news: readonly ChannelNews[]): ChannelNews | undefined =>
  news.find(({ audience, standing }) => audience !== "programs" && standing.as !== "member");
