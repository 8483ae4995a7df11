import type { PublicMaintenance } from "../document/public-page.ts";
import { pageAddress } from "./page-address.ts";
import type { View } from "./view.ts";

/** Without the line break (RFC 5545, 3.1). */
const MAX_LINE_OCTETS = 75;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f]/g;

/** The page's maintenance as a calendar to subscribe to (RFC 5545): an event each time, also of what recurs. */
export function renderCalendar(view: View): string {
  const { page, words, language } = view;
  const name = textOf(words.say("calendar.title", { name: page.name }));
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `PRODID:-//Vedette//Status page//${language.toUpperCase()}`,
    `NAME:${name}`,
    `X-WR-CALNAME:${name}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "X-PUBLISHED-TTL:PT1H",
    ...page.maintenance.flatMap((one) => eventLines(view, one)),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

function eventLines(view: View, one: PublicMaintenance): string[] {
  const { words } = view;
  const names = words.list(one.components.map(({ name }) => name));
  const affects = names && words.say("incident.affects", { names });
  const description = [one.description, affects].filter((part) => part !== "").join("\n\n");
  return [
    "BEGIN:VEVENT",
    `UID:${one.uuid}`,
    `DTSTAMP:${timeOf(one.updatedAt)}`,
    `LAST-MODIFIED:${timeOf(one.updatedAt)}`,
    `DTSTART:${timeOf(one.startsAt)}`,
    `DTEND:${timeOf(one.endsAt)}`,
    `SUMMARY:${textOf(words.say("feed.maintenance", { title: words.sentence(one.title) }))}`,
    ...(description ? [`DESCRIPTION:${textOf(description)}`] : []),
    `URL:${pageAddress(view)}`,
    // Nobody who subscribes is busy because of it.
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
  ];
}

/** `20261123T070000Z`. */
const timeOf = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;

/** A TEXT (3.3.11). */
const textOf = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(CONTROLS, " ")
    .replaceAll(/[\\;,]/g, (one) => `\\${one}`)
    .replaceAll("\n", "\\n");

/** A long line goes on after a line break and a space, between characters (3.1). */
function folded(line: string): string {
  let text = "";
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > MAX_LINE_OCTETS) {
      text += "\r\n ";
      octets = 1;
    }
    text += character;
    octets += size;
  }
  return text;
}
