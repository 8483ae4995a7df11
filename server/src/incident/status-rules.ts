import { type MessageDescriptor, msg } from "../texts/message.ts";
import type { IncidentStatus } from "./states.ts";

/** Where people may move an incident to. What is resolved is reopened first; nothing begins twice. */
const MOVES: Record<IncidentStatus, readonly IncidentStatus[]> = {
  open: ["investigating", "identified", "monitoring", "resolved"],
  investigating: ["identified", "monitoring", "resolved"],
  identified: ["investigating", "monitoring", "resolved"],
  monitoring: ["investigating", "identified", "resolved"],
  resolved: [],
};

/** Why an incident cannot be moved; null: it can, or is there already. */
export function moveProblem(from: IncidentStatus, to: IncidentStatus): MessageDescriptor | null {
  if (from === to || MOVES[from].includes(to)) return null;
  return from === "resolved" ? msg("incident.is_resolved") : msg("incident.has_begun");
}
