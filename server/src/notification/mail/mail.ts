import type { Language } from "../../texts/languages.ts";
import type { MailKind, MailParams } from "../../texts/mails/mail-texts.ts";
import type { Reader } from "../../texts/reader.ts";
import type { Said } from "./said.ts";

/** One mail, in no words yet: they are found when it is sent. */
export type Mail = { [Kind in MailKind]: MailOf<Kind> }[MailKind];

interface MailOf<Kind extends MailKind> {
  kind: Kind;
  reader: Reader;
  params: MailParams<Kind>;
  /** Where its link leads; null: it has none. */
  link: string | null;
}

/** A mail whose words were found when it was caused: what it tells is more than a few slots hold. */
export interface WrittenMail {
  kind: "written";
  language: Language;
  words: Said;
  link: string | null;
  /** Whose mails these are, and where its reader says that they want no more. */
  list: { id: string; unsubscribe: string };
}

/** An address that mail can be sent to: nothing in it that a mail header, or a list of addresses, reads otherwise. */
export const isMailable = (address: string): boolean =>
  /^[^\s@<>(),;:"\\[\]\0-\x1f\x7f]+@[^\s@<>(),;:"\\[\]\0-\x1f\x7f]+$/.test(address) && address.length <= 254;
