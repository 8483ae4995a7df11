import type { Incident } from "../store/queries/incidents.ts";
import { inEnglish } from "../texts/english.ts";
import { type Code, type Fact, fact } from "../texts/fact.ts";

/** What an outage's incident tells of, and what it is called: while it goes on, and once it is over. */
const TITLES: ReadonlyMap<string, readonly [going: Code, over: Code]> = new Map([
  ["incident.outage", ["incident.down", "incident.down_over"]],
  ["incident.outages", ["incident.down_several", "incident.down_several_over"]],
]);

/** What an incident's title goes by. */
export type Titled = Pick<Incident, "fact" | "title" | "automatic"> & {
  affectedServices: readonly { name: string }[];
};

/**
 * What the title of an outage's incident says, in no language; null where a person wrote it. `title` is stored as it was
 * when it began, so it is no longer right when it is over.
 */
export function titleFact(incident: Titled, { isOver }: { isOver: boolean }): Fact | null {
  const told = incident.fact ?? factOfTitle(incident);
  const codes = TITLES.get(told?.code ?? "");
  if (!told || !codes) return null;
  const { name = "", others } = told.params ?? {};
  return { code: codes[isOver ? 1 : 0], params: others === undefined ? { name } : { name, others } };
}

/** Of a title that is still ours, though a person has changed something else of the incident. */
function factOfTitle({ automatic, title, affectedServices }: Titled): Fact | null {
  if (!automatic) return null;
  for (const name of new Set(affectedServices.map((one) => one.name))) {
    if (title === inEnglish(fact("incident.down", { name })))
      return { code: "incident.outage", params: { name } };
    const others = othersIn(title, name);
    if (others !== null) return { code: "incident.outages", params: { name, others } };
  }
  return null;
}

/** How many others it says are down. Versions before this one said “more”. */
function othersIn(title: string, name: string): number | null {
  const [start, end] = [`${name} and `, " are down"];
  if (!title.startsWith(start) || !title.endsWith(end)) return null;
  const found = /^(\d+) (?:more|others|other monitor)$/.exec(title.slice(start.length, -end.length));
  return found ? Number(found[1]) : null;
}
