import { verb } from "../verb/verb.ts";
import { projectBulk, readBulkIds } from "../wire/bulk.ts";
import { bulkShapes } from "../wire/monitor-bulk.ts";
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
    hints: { destructive: true },
    ...bulkShapes(kind),
    async run(ctx, { action, ids, tags }) {
      const meant = readBulkIds(ids);
      const { refused, ...done } = await changeMonitors(ctx, { kind, action, tags, refs: meant.refs });
      const left = refused.map(({ monitor: { id, uuid }, why }) => ({ id, uuid, why }));
      return projectBulk(action, { ...done, refused: left }, meant, 422);
    },
  });
}
