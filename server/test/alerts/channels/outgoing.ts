import type { Outgoing } from "../../../src/alerts/channels/kind.ts";
import type { Message } from "../../../src/alerts/channels/message.ts";

interface Changes extends Partial<Pick<Message, "event" | "type" | "isPartial">> {
  reference?: string | null;
  words?: Partial<Outgoing["words"]>;
  target?: string;
}

/** A message about an outage of the monitor Shop, as its kind gets it. */
export const outgoingOf = ({
  event = "monitor.down",
  type = "error",
  reference = null,
  isPartial = false,
  words = {},
  target = "https://shop.example/",
}: Changes = {}): Outgoing => ({
  id: "0190-id",
  message: {
    event,
    type,
    at: Date.UTC(2026, 10, 22, 12),
    descriptor: { code: "text", params: { text: "" } },
    reason: null,
    monitor: {
      id: 1,
      uuid: "u",
      kind: "domain",
      name: "Shop",
      type: "http",
      target,
      severity: "high",
      tags: ["shop"],
    },
    incidentId: 5,
    locations: ["local"],
    outageMs: null,
    isPartial,
  },
  words: {
    title: "Shop is down",
    text: "Shop has been down since 12:00. Connection refused.",
    details: [{ label: "Target", value: target }],
    links: [],
    acknowledge: null,
    link: { label: "Open in Vedette", url: "https://vedette.test/domains/1" },
    ...words,
  },
  acknowledge: null,
  reference,
  threadKey: "vedette-7",
  organization: { uuid: "o", name: "Home" },
  isOwn: false,
  now: Date.UTC(2026, 10, 22, 12),
});
