/** The ways in which subscribers can be notified. */
export const SUBSCRIBER_KINDS = ["email", "webhook", "slack"] as const;
export type SubscriberKind = (typeof SUBSCRIBER_KINDS)[number];

/** What a page's owners must know of a kind when they add a subscriber. */
interface KindTraits {
  /** An added subscriber has to confirm, unless they have agreed. */
  needsConfirmation: boolean;
  /** What is typed as the address. */
  address: "mailbox" | "url";
}

export const KIND_TRAITS: Readonly<Record<SubscriberKind, KindTraits>> = {
  email: { needsConfirmation: true, address: "mailbox" },
  webhook: { needsConfirmation: false, address: "url" },
  slack: { needsConfirmation: false, address: "url" },
};

/** `waiting`: for a request or an answer. `ended`: the receiver refused for good. */
export const SUBSCRIBER_STATES = ["active", "waiting", "ended"] as const;
export type SubscriberState = (typeof SUBSCRIBER_STATES)[number];
