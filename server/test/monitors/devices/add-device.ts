import { createState } from "../../../src/engine/status/monitor-states.ts";
import type { Store } from "../../../src/platform/database/store.ts";
import { monitorRow } from "../../harness/rows.ts";

let counter = 0;

/** A device of that organization, without any report. */
export async function addDevice(store: Store, organizationId: number): Promise<{ id: number; uuid: string }> {
  counter += 1;
  const uuid = crypto.randomUUID();
  const columns = { uuid, organization_id: organizationId, kind: "device", type: "agent" };
  const { id: _, ...row } = monitorRow(0, { ...columns, name: `Device ${counter}`, target: "agent" });
  const { id } = await store.db
    .insertInto("monitors")
    .values(row as never)
    .returning("id")
    .executeTakeFirstOrThrow();
  await createState(store.db, id, 0);
  return { id, uuid };
}
