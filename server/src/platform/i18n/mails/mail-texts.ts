import type { MessageDescriptor, MessageSlotNames, SlotNames } from "../message.ts";
import type { mails } from "../notifications/en.ts";

export type MailTexts = Readonly<Record<keyof typeof mails, string>>;

type English = typeof mails;
type KindOf<Key> = Key extends `${infer Kind}.subject` ? Kind : never;
export type MailKind = KindOf<keyof English>;

type TextsOf<Kind extends MailKind> = English[Extract<keyof English, `${Kind}.${string}`>];

/** The compiler requires each. */
export type MailParams<Kind extends MailKind> = Readonly<
  Record<Exclude<SlotNames<TextsOf<Kind>>, MessageSlotNames<TextsOf<Kind>>>, string> &
    Record<MessageSlotNames<TextsOf<Kind>>, MessageDescriptor>
>;
