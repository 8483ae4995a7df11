/** How somebody can be told what a page says. */
export const SUBSCRIBER_KINDS = ["email", "webhook", "slack"] as const;
export type SubscriberKind = (typeof SUBSCRIBER_KINDS)[number];

/** What a page's owners must know of a kind when they add somebody. */
interface KindTraits {
  /** Whoever is added is asked, unless they have agreed. */
  needsConfirmation: boolean;
  /** What is typed as the address. */
  address: "mailbox" | "url";
}

export const KIND_TRAITS: Readonly<Record<SubscriberKind, KindTraits>> = {
  email: { needsConfirmation: true, address: "mailbox" },
  webhook: { needsConfirmation: false, address: "url" },
  slack: { needsConfirmation: false, address: "url" },
};

/** `waiting`: to be asked, or to answer. `ended`: the other side refused for good. */
export const SUBSCRIBER_STATES = ["active", "waiting", "ended"] as const;
export type SubscriberState = (typeof SUBSCRIBER_STATES)[number];
