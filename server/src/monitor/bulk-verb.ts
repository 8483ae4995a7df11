import { verb } from "../verb/verb.ts";
import { bulkShapes, projectBulk, readBulkIds } from "../wire/monitor-bulk.ts";
import { changeMonitors } from "./change-monitors.ts";
import { MONITOR_KIND_FACTS } from "./kinds.ts";
import type { MonitorKind } from "./monitor-defaults.ts";

/** Many monitors of one kind changed at once; each has an audit row of its own (changeMonitors). */
export function bulkVerb(kind: MonitorKind) {
  const { resource, feature } = MONITOR_KIND_FACTS[kind];
  return verb({
    resource,
    feature,
    action: "write",
    audit: null,
    ...bulkShapes(kind),
    async run(ctx, { action, ids, tags }) {
      const meant = readBulkIds(ids);
      const done = await changeMonitors(ctx, { kind, action, tags, refs: meant.refs });
      return projectBulk(action, done, meant);
    },
  });
}
