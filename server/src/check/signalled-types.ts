/** Of jobs that say when they have run. */
export const HEARTBEAT_TYPE = "heartbeat";
/** Of devices, whose agents report. */
export const AGENT_TYPE = "agent";

/** The types of the kinds that are told. They stand alone for the store, which knows no kinds but has to say when one is due. */
export const SIGNALLED_TYPES = [HEARTBEAT_TYPE, AGENT_TYPE] as const;

/** What a job may tell: that it has started, ended well or failed, or only what stands in the log. */
export const HEARTBEAT_SIGNALS = ["start", "ok", "fail", "log"] as const;
export type HeartbeatSignal = (typeof HEARTBEAT_SIGNALS)[number];
