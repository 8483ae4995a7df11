/** Unseen, and where it stands nobody takes what is around it for one address. */
const BREAK = "\u200b";
/** Where a mail program begins or goes on with an address: `https:`, `//host`, `www.host`, `host.example`, `me@host`. */
const JOINT = /([.:/@])(?=[^\s\u200b])/g;

/** A name in a mail to somebody who does not know its owner: whatever it holds, mail programs make no link of it. */
export const unlinked = (name: string): string => name.replace(JOINT, `$1${BREAK}`);
