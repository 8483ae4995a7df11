import type { Db } from "../../store/db.ts";
import { listMessageMonitors } from "../../store/queries/message-monitors.ts";
import { listOutageFacts, outageKey } from "../../store/queries/notifications.ts";
import { fact } from "../../texts/fact.ts";
import { type Message, type MessageMonitor, newMessage } from "./message.ts";

/** An outage, and the incident that has it; null: none. `startedAt`: milliseconds. */
interface Begun {
  monitorId: number;
  startedAt: number;
  incidentId: number | null;
}

/** What is said of an outage. `isNoted`: it had a notice; what flapped when it began had none. */
export interface Beginning {
  message: Message & { monitor: MessageMonitor };
  isNoted: boolean;
}

/** What is said of outages by themselves, as if each had just begun: in the words of its notice. Null of a monitor that is gone. */
export async function listBeginnings(db: Db, outages: readonly Begun[]): Promise<(Beginning | null)[]> {
  if (outages.length === 0) return [];
  const ids = outages.map(({ monitorId }) => monitorId);
  const monitors = await listMessageMonitors(db, ids);
  const facts = await listOutageFacts(db, outages);
  return outages.map((outage) => {
    const { startedAt: at, incidentId } = outage;
    const monitor = monitors.get(outage.monitorId);
    if (!monitor) return null;
    const noted = facts.get(outageKey(outage));
    const down = monitor.kind === "device" ? "notice.offline" : "notice.down";
    const said = noted ?? fact(down, { name: monitor.name, since: new Date(at).toISOString() });
    const about = { at, fact: said, reason: said.because ?? null, monitor, incidentId };
    const message = newMessage({ event: "monitor.down", type: "error", ...about });
    return { message: { ...message, monitor }, isNoted: noted !== undefined };
  });
}
