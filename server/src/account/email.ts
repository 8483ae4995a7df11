import { fact } from "../texts/fact.ts";

const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** Whether the text has the form of an e-mail address. */
export const isEmail = (text: string): boolean => EMAIL.test(text) && text.length <= 254;

/** What is wrong with a text that is none, in a field of that name. */
export const notAnEmail = () => fact("input.format", { field: "email", format: "email" });

/** The form in which accounts and invitations store an e-mail address and are found by it: trimmed, in lower case. */
export const normalizeEmail = (text: string): string => text.trim().toLowerCase();
