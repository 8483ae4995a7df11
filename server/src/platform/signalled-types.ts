/** Of jobs that say when they have run. */
export const HEARTBEAT_TYPE = "heartbeat";
/** Of devices, whose agents report. */
export const AGENT_TYPE = "agent";

/** The types of the kinds that receive signals. In a file of their own for the store, which knows no kinds but when one is due. */
export const SIGNALLED_TYPES = [HEARTBEAT_TYPE, AGENT_TYPE] as const;

/** What a job may signal: that it has started, ended well or failed, or only an entry for the log. */
export const HEARTBEAT_SIGNALS = ["start", "ok", "fail", "log"] as const;
export type HeartbeatSignal = (typeof HEARTBEAT_SIGNALS)[number];
