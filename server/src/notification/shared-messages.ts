import type { Together } from "../incident/live-incident.ts";
import type { MonitorNotificationEvent } from "../status/state.ts";
import { type MessageDescriptor, msg } from "../texts/message.ts";

/** What is said of a notice, and of which monitor. */
export interface Said {
  monitorId: number;
  event: MonitorNotificationEvent;
  fact: MessageDescriptor;
}

/** What people are told of a notice whose monitor shares an incident. */
export interface SharedMessages {
  /** What the app says; null: another one speaks for it. */
  shown: MessageDescriptor | null;
  /** What channels say of one that is graver than those that it joins, or their cause, whatever they were told of them; null: it is none. */
  escalation: MessageDescriptor | null;
}

/**
 * What people are told of a notice: of those that share an incident together, once, when the first goes down, when a graver one
 * or their cause joins it, and once when all are up. `at`: when it happened, milliseconds.
 */
export function messagesOf(said: Said, together: Together | null, at: number): SharedMessages {
  if (!together) return { shown: said.fact, escalation: null };
  const { leadId, leadName: name, others, part } = together;
  if (part.is === "lead" || part.is === "escalation") {
    const among = messageAmong(said.fact, others + 1, part.is === "lead" ? part.after.name : part.than);
    return { shown: among, escalation: among };
  }
  // That one flaps was told of it by itself, so that it has settled is, too.
  const isStable = said.event === "monitor.settled";
  const isLast = part.is === "all-up";
  if (isStable && !(isLast && said.monitorId === leadId)) return { shown: said.fact, escalation: null };
  const since = new Date(at).toISOString();
  return {
    shown: isLast ? msg("notice.recovered_together", { name, others, since }) : null,
    escalation: null,
  };
}

/** That a monitor is down, and that others are. */
function messageAmong(
  { params = {}, because }: MessageDescriptor,
  count: number,
  lead: string,
): MessageDescriptor {
  const { name = "", since = "" } = params;
  return { ...msg("notice.down_among", { name, since, count, lead }), ...(because && { because }) };
}
