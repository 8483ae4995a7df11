/** The type of the kind that is told. Stands alone for the store, which knows no kinds but has to say when one is due. */
export const HEARTBEAT_TYPE = "heartbeat";

/** What a job may tell: that it has started, ended well or failed, or only what stands in the log. */
export const HEARTBEAT_SIGNALS = ["start", "ok", "fail", "log"] as const;
export type HeartbeatSignal = (typeof HEARTBEAT_SIGNALS)[number];
