export const SUBSCRIBER_KINDS = ["email", "webhook", "slack"] as const;
export type SubscriberKind = (typeof SUBSCRIBER_KINDS)[number];

interface KindTraits {
  /** Unless they have agreed. */
  needsConfirmation: boolean;
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
