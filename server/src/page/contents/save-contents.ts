import type { Db } from "../../store/db.ts";
import {
  deleteComponent,
  insertComponent,
  listComponents,
  placeComponents,
  saveComponent,
  saveGroups,
} from "../../store/queries/status-page-components.ts";
import type { StatusPage } from "../../store/queries/status-pages.ts";
import type { PlannedComponent, PlannedContents } from "./planned.ts";

/** Has a page show this and nothing else. Call it with the page locked. */
export async function saveContents(
  trx: Db,
  page: StatusPage,
  { components, groups }: PlannedContents,
): Promise<void> {
  const all = [...components, ...groups.flatMap((group) => group.components)];
  const kept = new Set(all.map(({ id }) => id));
  for (const { id } of await listComponents(trx, [page.id])) {
    if (!kept.has(id)) await deleteComponent(trx, id);
  }
  const groupIds = await saveGroups(trx, page, groups);
  const lists = [
    { groupId: null, own: components },
    ...groups.map(({ uuid, components: own }) => ({ groupId: groupIds.get(uuid) ?? null, own })),
  ];
  const places = [];
  for (const { groupId, own } of lists) {
    for (const [position, component] of own.entries()) {
      const place = { groupId, position };
      places.push({ ...place, id: await saveOne(trx, page, { ...component, ...place }) });
    }
  }
  await placeComponents(trx, places);
}

async function saveOne(
  trx: Db,
  { id: pageId, organizationId }: StatusPage,
  { id, ...component }: PlannedComponent & { groupId: number | null; position: number },
): Promise<number> {
  if (id === null) return insertComponent(trx, { ...component, pageId, organizationId });
  await saveComponent(trx, id, component);
  return id;
}
