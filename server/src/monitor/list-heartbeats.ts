import { verb } from "../verb/verb.ts";
import { HeartbeatEvent, HeartbeatsQuery, projectHeartbeat } from "../wire/heartbeats.ts";
import { withId } from "../wire/id.ts";
import { readHeartbeatLog } from "./heartbeat-log.ts";
import { MONITOR_KIND_FACTS } from "./kinds.ts";
import { findOfKind } from "./require-monitor.ts";

const { resource, feature } = MONITOR_KIND_FACTS.service;

/** What the job of a heartbeat has told, newest first (readHeartbeatLog). */
export const listHeartbeats = verb({
  resource,
  feature,
  action: "read",
  input: withId(HeartbeatsQuery),
  output: HeartbeatEvent,
  find: findOfKind("service"),
  async run(ctx, { before, limit = 100 }, { id }) {
    const page = { before: before === undefined ? undefined : Date.parse(before), limit };
    return (await readHeartbeatLog(ctx, id, page)).map(projectHeartbeat);
  },
});
