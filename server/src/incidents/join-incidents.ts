import type { Db } from "../platform/database/schema.ts";
import { inEnglish } from "../platform/i18n/english.ts";
import { type MessageDescriptor, msg } from "../platform/i18n/message.ts";
import { rankOfSeverity } from "../platform/monitor-defaults.ts";
import { type Cause, membersOf, messageOfCause, type Placed } from "./group-rules.ts";
import { wordsOfMembers } from "./group-words.ts";
import type { MemberPart, OutageIncident } from "./live-incident.ts";
import {
  insertAffectedServices,
  leadInstead,
  listReturning,
  readAffectedServices,
} from "./queries/affected-services.ts";
import type { OpenGroup } from "./queries/automatic-incidents.ts";
import { updateIncident } from "./queries/incident-changes.ts";
import { insertIncidentUpdates } from "./queries/incident-updates.ts";
import type { Outage } from "./rules.ts";
import { type IncidentWords, unlessWritten } from "./title-rules.ts";

/** An incident, and the outages that join it in one go. */
interface Growing
  extends Pick<
    OpenGroup,
    "id" | "uuid" | "title" | "titleMessage" | "descriptionMessage" | "status" | "severity" | "begunAt"
  > {
  leadId: number;
  leadName: string;
  by: Cause;
  outages: Outage[];
}

/**
 * Joins outages to the incidents that they were placed in: those that were open, which are locked, or those that have just
 * been `opened`. The log says once who joined, and title and description what they have in common, unless a
 * person wrote them. Whatever joins, the incident does not begin later than it did.
 */
export async function joinIncidents(
  trx: Db,
  placed: readonly Placed<OpenGroup, Outage>[],
  opened: readonly OutageIncident[],
  now: number,
): Promise<OutageIncident[]> {
  const growing = growingOf(placed, opened);
  const joined: OutageIncident[] = [];
  for (const one of growing) joined.push(...(await grow(trx, one, now)));
  return joined;
}

function growingOf(
  placed: readonly Placed<OpenGroup, Outage>[],
  opened: readonly OutageIncident[],
): Growing[] {
  const byId = new Map<number, Growing>();
  for (const { outage, group, by } of placed) {
    if (group === null || by === null) continue;
    const into = "id" in group ? growingOfOpen(group, by) : growingOfNew(group.outage, by, opened);
    const known = byId.get(into.id) ?? into;
    known.outages.push(outage);
    byId.set(into.id, known);
  }
  return [...byId.values()].sort((a, b) => a.id - b.id);
}

const growingOfOpen = (group: OpenGroup, by: Cause): Growing => ({
  ...group,
  ...{ leadId: group.monitorId, leadName: group.name, by, outages: [] },
});

function growingOfNew(lead: Outage, by: Cause, opened: readonly OutageIncident[]): Growing {
  const incident = opened.find(({ uuid }) => uuid === lead.uuid);
  if (!incident) throw new Error(`The incident of the outage of monitor ${lead.monitorId} is not there`);
  return {
    ...{ ...incident, begunAt: incident.startedAt, severity: lead.severity },
    ...{ leadId: lead.monitorId, leadName: lead.monitorName, by, outages: [] },
  };
}

async function grow(trx: Db, one: Growing, now: number): Promise<OutageIncident[]> {
  const { id, uuid, status, by, outages } = one;
  const [first] = outages;
  if (!first) return [];
  const { organizationId } = first;
  const parent = outages.find(({ monitorId }) => by.kind === "parent" && monitorId === by.id);
  const [leadId, leadName] = parent ? [parent.monitorId, parent.monitorName] : [one.leadId, one.leadName];
  const severity = mostSevere([one.severity, ...outages.map((outage) => outage.severity)]);
  const startedAt = Math.min(one.begunAt, ...outages.map((outage) => outage.startedAt));
  const affectedServices = outages.map(({ monitorId, monitorName: name, ...outage }) => ({
    ...{ monitorId, name, outageStartedAt: outage.startedAt, causes: outage.causes, joined: true },
  }));
  const monitorIds = outages.map(({ monitorId }) => monitorId);
  const returning = await listReturning(trx, id, monitorIds);
  await insertAffectedServices(trx, [{ id, organizationId, affectedServices }]);
  const { otherNames, ...grown } = await wordsOfGrown(trx, id, { leadId, by });
  const words = grown.words ? unlessWritten(one, grown.words) : {};
  const { title, titleMessage, descriptionMessage } = { ...one, ...words };
  if (parent) await leadInstead(trx, id, { leadId, before: one.leadId });
  await updateIncident(trx, id, { ...words, severity, startedAt, groupedBy: by }, now);
  await logJoining(trx, one, { organizationId, status, leadId, otherNames, returning });
  const moreSevere = severity === one.severity ? undefined : outages.find((own) => own.severity === severity);
  // Only one of them is notified; the incident shows the others.
  const partOf = (outage: Outage): MemberPart => {
    if (outage === parent) return { is: "lead", after: { id: one.leadId, name: one.leadName } };
    return !parent && outage === moreSevere ? { is: "escalation", than: one.leadName } : { is: "member" };
  };
  return outages.map((outage) => ({
    ...{ id, uuid, monitorId: outage.monitorId, title, titleMessage, descriptionMessage },
    ...{ status, severity, startedAt },
    together: { leadId, leadName, others: otherNames.length, part: partOf(outage) },
    ...{ resolvedAt: null, outageAt: outage.startedAt, outageMs: null },
  }));
}

/** What is said of an incident with what has joined it, and what else is down in it. */
async function wordsOfGrown(
  trx: Db,
  id: number,
  { leadId, by }: { leadId: number; by: Cause },
): Promise<{ words: IncidentWords | null; otherNames: string[] }> {
  const members = membersOf((await readAffectedServices(trx, [id])).get(id) ?? []);
  const down = members.filter(({ outageEndedAt }) => outageEndedAt === null);
  const names = new Map(down.map(({ monitorId, name }) => [monitorId, name]));
  names.delete(leadId);
  const otherNames = [...names.values()];
  // That one is down alone was said when it opened the incident.
  const words = otherNames.length > 0 ? wordsOfMembers(members, { leadId, by, reasons: new Map() }) : null;
  return { words, otherNames };
}

async function logJoining(
  trx: Db,
  { id: incidentId, by, outages }: Growing,
  {
    leadId,
    otherNames,
    returning,
    ...own
  }: {
    organizationId: number;
    status: string;
    leadId: number;
    otherNames: readonly string[];
    returning: ReadonlySet<number>;
  },
): Promise<void> {
  const again = outages.filter(({ monitorId }) => returning.has(monitorId));
  const others = outages.filter(({ monitorId }) => !returning.has(monitorId));
  const because = messageOfCause(by, { leadId, others: otherNames });
  // That the cause of all is down names it: nothing else has to.
  const isCause = ({ monitorId }: Outage) => by.kind === "parent" && monitorId === by.id;
  const joining = others.some(isCause)
    ? [because, ...messagesOfJoining(others.filter((one) => !isCause(one)))]
    : messagesOfJoining(others, because);
  const said = [...joining, ...messagesOfReturning(again)];
  const at = Math.max(...outages.map(({ detectedAt }) => detectedAt));
  const update = { ...own, incidentId, userId: null, at };
  await insertIncidentUpdates(
    trx,
    said.map((one) => ({ ...update, message: inEnglish(one), descriptor: one })),
  );
}

function messagesOfJoining(
  [first, ...more]: readonly Outage[],
  because?: MessageDescriptor,
): MessageDescriptor[] {
  if (!first) return [];
  const { monitorName: name } = first;
  const own =
    more.length === 0
      ? msg("incident.joined", { name })
      : msg("incident.joined_several", { name, others: more.length });
  return [{ ...own, ...(because && { because }) }];
}

/** Of what had been down in the incident before. */
function messagesOfReturning([first, ...more]: readonly Outage[]): MessageDescriptor[] {
  if (!first) return [];
  const { monitorName: name } = first;
  if (more.length === 0) return [msg("incident.down_again", { name })];
  return [msg("incident.down_again_several", { name, others: more.length })];
}

const mostSevere = (severities: readonly Outage["severity"][]) =>
  severities.reduce((a, b) => (rankOfSeverity(b) > rankOfSeverity(a) ? b : a));
