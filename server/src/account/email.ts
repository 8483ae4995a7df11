import { fact } from "../texts/fact.ts";

/** Words between dots (RFC 5322 §3.2.3), of any script (RFC 6531): without quotes, and nothing that cannot be seen. */
const MAILBOX = /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*$/u;
/** A part of a host's name: no hyphen at its ends. */
const LABEL = /^(?!-)[\p{L}\p{N}\p{M}_-]{1,63}(?<!-)$/u;
/** A host without a name (RFC 5321 §4.1.3), of which there may be accounts, though no mail of ours goes there. */
const LITERAL = /^\[(?:IPv6:)?[\da-f.:]+\]$/i;

/** Whether the text has the form of an e-mail address. */
export function isEmail(text: string): boolean {
  if (text.length > 254) return false;
  const [mailbox = "", host = "", ...more] = text.split("@");
  if (more.length > 0 || !MAILBOX.test(mailbox)) return false;
  return LITERAL.test(host) || host.split(".").every((label) => LABEL.test(label));
}

/** What is wrong with a text that is none, in a field of that name. */
export const notAnEmail = () => fact("input.format", { field: "email", format: "email" });

/** The form in which accounts and invitations store an e-mail address and are found by it: trimmed, in lower case. */
export const normalizeEmail = (text: string): string => text.trim().toLowerCase();
