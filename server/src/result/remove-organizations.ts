import type { Context } from "../context.ts";
import { deleteMembers } from "../store/queries/members.ts";
import {
  deleteMonitorsOf,
  deleteRowsOf,
  listDueOrganizations,
  ORGANIZATIONS_OWN,
  removeOrganization,
} from "../store/queries/organizations.ts";
import { moveSessionsElsewhere } from "../store/queries/sessions.ts";
import type { TableName } from "../store/schema.ts";
import type { Pace } from "./pace.ts";

/** A run of retention, as far as this is part of it. */
interface Removal extends Pick<Context, "store"> {
  now: number;
  pace: Pace;
  count(table: TableName, removed: number): void;
}

/** Marks the monitors of organizations whose time is over as deleted, so that their history goes as any other's. */
export async function deleteDueMonitors({ store, now, pace }: Removal): Promise<void> {
  for (const organization of await listDueOrganizations(store.db, now)) {
    await pace.drain((limit) => deleteMonitorsOf(store.db, organization, limit));
  }
}

/**
 * Removes the organizations whose time is over and whose monitors are gone, with everything that is theirs. Their
 * people stay, and those who belong elsewhere stay signed in there.
 */
export async function removeDueOrganizations({ store, now, pace, count }: Removal): Promise<void> {
  for (const organization of await listDueOrganizations(store.db, now)) {
    if (organization.hasMonitors) continue;
    const { id } = organization;
    await store.transaction(async (trx) => {
      await moveSessionsElsewhere(trx, id);
      // From then on nobody can add anything.
      await deleteMembers(trx, id);
    });
    for (const table of ORGANIZATIONS_OWN) {
      count(table, await pace.drain((limit) => deleteRowsOf(store.db, table, id, limit)));
    }
    if (pace.aborted) return;
    await pace.once(() => removeOrganization(store.db, id));
    count("organizations", 1);
  }
}
