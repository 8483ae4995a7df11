import { excerpt } from "../../texts/fact.ts";
import type { Language } from "../../texts/languages.ts";
import type { PublicIncident, PublicMaintenance } from "../public-page.ts";
import { stageOf } from "../render/incidents.ts";
import { type Words, wordsFor } from "../render/words.ts";
import type { PageNews } from "./news.ts";

/** Of what they were told before, so much is repeated. */
const UPDATES_TOLD = 10;

/** The page as its subscribers are told of it. */
export interface NewsPage {
  uuid: string;
  name: string;
  timeZone: string;
  /** Null: none is known. */
  url: string | null;
}

/** What news say, in a reader's language. */
export interface NewsWords {
  title: string;
  text: string;
  /** What the link is called, and where it leads; null: nowhere. */
  label: string;
  url: string | null;
}

/** News as people read them: of what is on the page, in its time zone. */
export function newsWords(page: NewsPage, news: PageNews, language: Language): NewsWords {
  const words = wordsFor(language, page.timeZone);
  const { incident, maintenance, event } = news;
  const own = incident ? words.sentence(incident.title) : (maintenance?.title ?? "");
  const parts = incident
    ? ofIncident(incident, news, words)
    : maintenance
      ? ofMaintenance(maintenance, words)
      : [];
  return {
    title: words.say(`told.${event}`, { page: excerpt(page.name), title: excerpt(own) }),
    text: parts.filter((part) => part !== "").join("\n\n"),
    label: words.say("told.open"),
    url: page.url === null ? null : page.url + (incident ? `/incidents/${incident.uuid}` : ""),
  };
}

/** The newest update first, as far as they were not told of it, or else the last one. */
function ofIncident(incident: PublicIncident, { fresh }: PageNews, words: Words): string[] {
  const unknown = new Set(fresh);
  const told = incident.updates.filter(({ uuid }) => unknown.has(uuid));
  const shown = (told.length > 0 ? told : incident.updates.slice(0, 1)).slice(0, UPDATES_TOLD);
  const since = words.say("told.since", { since: words.time(incident.startedAt) });
  return [
    words.sentence(incident.title),
    ...shown.map(({ at, status, text }) =>
      `${stageOf(words, status)} · ${words.time(at)}\n${words.sentence(text)}`.trim(),
    ),
    [since, affects(incident, words)].filter((part) => part !== "").join("\n"),
  ];
}

function ofMaintenance(maintenance: PublicMaintenance, words: Words): string[] {
  const { title, description, startsAt, endsAt } = maintenance;
  const when = words.say("maintenance.ahead", { from: words.time(startsAt), until: words.time(endsAt) });
  return [title, when, description, affects(maintenance, words)];
}

function affects({ components }: Pick<PublicIncident, "components">, words: Words): string {
  const names = words.list(components.map(({ name }) => name));
  return names && words.say("incident.affects", { names });
}
