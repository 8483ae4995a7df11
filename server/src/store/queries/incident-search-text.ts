import { titleFact } from "../../incident/title-rules.ts";
import { de } from "../../texts/de.ts";
import { en } from "../../texts/en.ts";
import { formatsOf } from "../../texts/formats.ts";
import { LANGUAGES, type Language } from "../../texts/languages.ts";
import { renderFact } from "../../texts/render.ts";
import { zh } from "../../texts/zh.ts";
import type { Incident } from "./incidents.ts";
import { foldForSearch } from "./monitors.ts";

const TEXTS: Readonly<Record<Language, Readonly<Partial<Record<string, string>>>>> = { en, de, zh };

/**
 * What an incident is found by: its title, and where Vedette wrote it, what its readers see of it in each language, while it
 * goes on and once it is over.
 */
export function incidentSearchText({
  title,
  titleFact: told,
}: Pick<Incident, "title" | "titleFact">): string {
  const shown = [false, true].flatMap((isOver) => {
    const said = titleFact({ titleFact: told }, { isOver });
    return said ? LANGUAGES.map((one) => renderFact(TEXTS[one], said, formatsOf(one, "UTC"))) : [];
  });
  return foldForSearch([...new Set([title, ...shown])].join("\n"));
}
