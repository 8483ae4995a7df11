import { type TObject, Type } from "typebox";
import { MONITOR_KIND_FACTS } from "../monitor/kinds.ts";
import { findOfKind } from "../monitor/require-monitor.ts";
import { findChange, readChanges, readSnapshot } from "../store/queries/device-snapshots.ts";
import { verb } from "../verb/verb.ts";
import {
  DeviceApplication,
  DeviceApplicationChange,
  DeviceChangesQuery,
  DeviceConnection,
  DeviceContainer,
  DeviceListsQuery,
  DeviceProcess,
  projectChange,
  ReportedFacts,
} from "../wire/device-lists.ts";
import { timestampOrNull, withId } from "../wire/field.ts";
import { pageOf } from "../wire/page.ts";
import { uncompress } from "./compressed.ts";
import type { SnapshotKind } from "./snapshots.ts";

const { resource, feature } = MONITOR_KIND_FACTS.device;
const reads = { resource, feature, action: "read", find: findOfKind("device") } as const;

/** The newest list of a kind that a device's agent reported; empty where it has reported none. Throws 404. */
const listVerb = <Item extends TObject>(kind: SnapshotKind, item: Item) =>
  verb({
    ...reads,
    input: withId(DeviceListsQuery),
    output: Type.Array(item),
    paged: true,
    beside: ReportedFacts,
    async run({ db }, query, { id }) {
      const stored = await readSnapshot(db, id, kind);
      const items = stored ? uncompress<never[]>(stored.items) : [];
      const beside = { at: timestampOrNull(stored?.at ?? null), found: stored?.total ?? 0 };
      return { ...pageOf(items, query), beside };
    },
  });

/** The busiest processes. */
export const listDeviceProcesses = listVerb("processes", DeviceProcess);
/** Connections and listening sockets. */
export const listDeviceConnections = listVerb("connections", DeviceConnection);
/** What is installed. */
export const listDeviceApplications = listVerb("applications", DeviceApplication);
/** Containers, where the agent may see them. */
export const listDeviceContainers = listVerb("containers", DeviceContainer);

/** The applications that came, went or were updated, newest first. Throws 404. */
export const listApplicationChanges = verb({
  ...reads,
  input: withId(DeviceChangesQuery),
  output: Type.Array(DeviceApplicationChange),
  async run({ db, clock }, { limit = 100, before }, { id }) {
    const after = before === undefined ? null : await findChange(db, id, before);
    // It is the oldest that are removed: after one that is gone there is nothing any more.
    if (before !== undefined && after === null) return [];
    return (await readChanges(db, id, { from: 0, to: clock.now(), limit, after })).map(projectChange);
  },
});
