import { inEnglish } from "../platform/i18n/english.ts";
import { type MessageDescriptor, msg } from "../platform/i18n/message.ts";
import { messageOf } from "./live-incident.ts";
import type { Incident } from "./queries/incidents.ts";

/** A parameter of a device's title: it was offline as well. */
const OFFLINE = "offline";

/** Whether an incident is about a device that works, and is not well. */
export const isOfHealth = ({ titleMessage: stored }: StoredTitle): boolean =>
  messageOf(stored).isOfHealth === true;

/** What it is called while it goes on; `others`: members beside the one of this name. */
export const titleOfOutage = (name: string, others = 0): MessageDescriptor =>
  others === 0 ? msg("incident.down", { name }) : msg("incident.down_several", { name, others });

/** What it is called while there are devices among them that report, and are not healthy. */
export const titleOfProblems = (name: string, others: number): MessageDescriptor =>
  msg("incident.problems_several", { name, others });

/** What it is called while the monitor goes down and comes back again and again: it is open, whichever holds right now. */
export const titleOfFlapping = (name: string, others = 0): MessageDescriptor =>
  others === 0 ? msg("incident.flapping", { name }) : msg("incident.flapping_several", { name, others });

/** What it is called while the device reports, by how well that is; `wasOffline`: it was silent meanwhile, which counts once it is over. */
export const titleOfHealth = (
  name: string,
  { isCritical, wasOffline }: { isCritical: boolean; wasOffline: boolean },
): MessageDescriptor => ({
  code: isCritical ? "incident.critical" : "incident.not_healthy",
  params: { name, ...(wasOffline && { [OFFLINE]: 1 }) },
});

/** What an incident's title goes by. */
export type Titled = Pick<Incident, "title" | "titleMessage">;
type StoredTitle = Pick<Titled, "titleMessage">;

/**
 * The title of an outage's incident as a message in no language; null where a person wrote it. The stored title describes the
 * outage as it began, so it no longer fits once that is over.
 */
export function titleMessage({ titleMessage: stored }: StoredTitle, { isOver }: { isOver: boolean }) {
  const { over: usual, overIfOffline } = messageOf(stored);
  const over = stored?.params?.[OFFLINE] === undefined ? usual : (overIfOffline ?? usual);
  return stored && isOver && over ? { ...stored, code: over } : stored;
}

/** The words of an outage's incident that people go on with while nothing is down in it: it says how it was. */
export function wordsOfReopened({ titleMessage: stored }: StoredTitle): Partial<Titled> {
  const over = titleMessage({ titleMessage: stored }, { isOver: true });
  return over ? { title: inEnglish(over), titleMessage: over } : {};
}

/**
 * Whether a version that stored no title message gave an outage's incident that title, by the `names` of what it affects: such
 * a version may still be running beside this one. Its words never change.
 */
export const isTitleOfOlder = (title: string, names: readonly string[]): boolean =>
  names.some(
    (name) =>
      title.startsWith(name) &&
      /^(?: is down| and \d+ (?:more|others|other monitor) are down)$/.test(title.slice(name.length)),
  );

/** What Vedette says of an outage's incident. */
export type IncidentWords = Pick<Incident, "title" | "titleMessage" | "description" | "descriptionMessage">;

/** Those words of it that may replace what is there: a person wrote the others. */
export const unlessWritten = (
  known: Pick<Incident, "titleMessage" | "descriptionMessage">,
  { title, titleMessage: ofTitle, description, descriptionMessage }: IncidentWords,
): Partial<IncidentWords> => ({
  ...(known.titleMessage !== null && { title, titleMessage: ofTitle }),
  ...(known.descriptionMessage !== null && { description, descriptionMessage }),
});
