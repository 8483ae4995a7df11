import type { Incident } from "../store/queries/incidents.ts";
import { inEnglish } from "../texts/english.ts";
import { type Code, type Fact, fact } from "../texts/fact.ts";

/** What an outage's incident is called once it is over. */
const OVER: ReadonlyMap<string, Code> = new Map([
  ["incident.down", "incident.down_over"],
  ["incident.down_several", "incident.down_several_over"],
  ["incident.critical", "incident.critical_over"],
  ["incident.flapping", "incident.down_over"],
  ["incident.unwell", "incident.unwell_over"],
  ["incident.critical_back", "incident.critical_back_over"],
  ["incident.unwell_back", "incident.unwell_back_over"],
]);

/** Titles of what is about the health of a device that reports. */
const OF_HEALTH: ReadonlySet<string> = new Set([
  ...["incident.critical", "incident.unwell", "incident.critical_back", "incident.unwell_back"],
]);

/** Whether an incident is about a device that works, and is not well. */
export const isOfHealth = ({ titleFact: told }: Pick<Titled, "titleFact">): boolean =>
  OF_HEALTH.has(told?.code ?? "");

/** What it is called while it goes on; `others`: members beside the one of this name. */
export const titleOfOutage = (name: string, others = 0): Fact =>
  others === 0 ? fact("incident.down", { name }) : fact("incident.down_several", { name, others });

/** What it is called while the monitor goes down and comes back again and again: it is open, whichever holds right now. */
export const titleOfFlapping = (name: string): Fact => fact("incident.flapping", { name });

/** What that of a device is called whose health is critical. */
export const titleOfCritical = (name: string): Fact => fact("incident.critical", { name });

/** What it is called while the device reports, by how well that is; `wasOffline`: it was silent meanwhile. */
export const titleOfHealth = (
  name: string,
  { isCritical, wasOffline }: { isCritical: boolean; wasOffline: boolean },
): Fact => {
  if (wasOffline) return fact(isCritical ? "incident.critical_back" : "incident.unwell_back", { name });
  return fact(isCritical ? "incident.critical" : "incident.unwell", { name });
};

/** What an incident's title goes by. */
export type Titled = Pick<Incident, "title" | "titleFact">;

/**
 * What the title of an outage's incident says, in no language; null where a person wrote it. What is stored tells how it was
 * when it began, so it is no longer right when it is over.
 */
export function titleFact({ titleFact: told }: Pick<Titled, "titleFact">, { isOver }: { isOver: boolean }) {
  const over = OVER.get(told?.code ?? "");
  return told && isOver && over ? { ...told, code: over } : told;
}

/** The words of an outage's incident that people go on with while nothing is down in it: it says how it was. */
export function wordsOfReopened({ titleFact: told }: Pick<Titled, "titleFact">): Partial<Titled> {
  const over = titleFact({ titleFact: told }, { isOver: true });
  return over ? { title: inEnglish(over), titleFact: over } : {};
}

/**
 * Whether versions that stored no title facts gave an outage's incident that title, by the `names` of what it affects: one of
 * them may still be running beside this one. Their words never change.
 */
export const isTitleOfOlder = (title: string, names: readonly string[]): boolean =>
  names.some(
    (name) =>
      title.startsWith(name) &&
      /^(?: is down| and \d+ (?:more|others|other monitor) are down)$/.test(title.slice(name.length)),
  );

/** What Vedette says of an outage's incident. */
export type IncidentWords = Pick<Incident, "title" | "titleFact" | "description" | "fact">;

/** Those words of it that may replace what is there: a person wrote the others. */
export const unlessWritten = (
  { titleFact: ofTitle, fact: ofDescription }: Pick<Incident, "titleFact" | "fact">,
  words: IncidentWords,
): Partial<IncidentWords> => ({
  ...(ofTitle !== null && { title: words.title, titleFact: words.titleFact }),
  ...(ofDescription !== null && { description: words.description, fact: words.fact }),
});
