/** Of those who subscribe to status pages, from one client address. */
export const SUBSCRIBE_LIMIT = { group: "subscribe", perMinute: 5 };
