/** How somebody can be told what a page says. */
export const SUBSCRIBER_KINDS = ["email", "webhook", "slack"] as const;
export type SubscriberKind = (typeof SUBSCRIBER_KINDS)[number];

/** `waiting`: to be asked, or to answer. `ended`: the other side refused for good. */
export const SUBSCRIBER_STATES = ["waiting", "active", "ended"] as const;
export type SubscriberState = (typeof SUBSCRIBER_STATES)[number];
