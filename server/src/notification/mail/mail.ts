import type { User } from "../../store/queries/users.ts";
import type { Language } from "../../texts/languages.ts";
import type { MailKind, MailParams } from "../../texts/mails/mail-texts.ts";

/** In which language somebody reads, and in which IANA time zone they live. */
export interface Reader {
  language: Language;
  timeZone: string;
}

/** What is known of how somebody reads: what they chose, and what the browser that they used last says. */
type Chosen = Pick<User, "language" | "timeZone" | "seenLanguage" | "seenTimeZone">;

/** How to write to somebody: as they chose, else as their browser says, else in that language, with times in UTC. */
export const readerOf = (person: Chosen | undefined, language: Language = "en"): Reader => ({
  language: person?.language ?? person?.seenLanguage ?? language,
  timeZone: person?.timeZone ?? person?.seenTimeZone ?? "UTC",
});

/** How to write to somebody who asks for it at this moment, in that language: a browser that they used before says less. */
export const askingReader = (person: Chosen, language: Language | undefined): Reader =>
  readerOf({ ...person, seenLanguage: language ?? person.seenLanguage });

/** One mail, in no words yet: they are found when it is sent. */
export type Mail = { [Kind in MailKind]: MailOf<Kind> }[MailKind];

interface MailOf<Kind extends MailKind> {
  kind: Kind;
  reader: Reader;
  params: MailParams<Kind>;
  /** Where its link leads; null: it has none. */
  link: string | null;
}

/** An address that mail can be sent to: nothing in it that a mail header, or a list of addresses, reads otherwise. */
export const isMailable = (address: string): boolean =>
  /^[^\s@<>(),;:"\\[\]\0-\x1f\x7f]+@[^\s@<>(),;:"\\[\]\0-\x1f\x7f]+$/.test(address) && address.length <= 254;
