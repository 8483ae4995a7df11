/** Booleans are stored as numbers: SQLite has no others, and PostgreSQL does the same here. */
export type Flag = 0 | 1;

/** What sends something (transports.ts): by mail, to an organization's channel, to one of a person, to a page's subscriber. */
export type TransportName = "mail" | "channel" | "person" | "subscriber";
