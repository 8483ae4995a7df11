const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** Whether the text has the form of an e-mail address. */
export const isEmail = (text: string): boolean => EMAIL.test(text) && text.length <= 254;

/** An address as accounts and invitations are kept and found by it: without space around it, in lower case. */
export const normalizeEmail = (text: string): string => text.trim().toLowerCase();
