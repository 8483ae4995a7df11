import { insertMany } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/schema.ts";
import { idIn } from "../../platform/database/sql.ts";
import type { Flag } from "../../platform/database/table.ts";
import type { MonitorKind } from "../../platform/monitor-defaults.ts";
import {
  COMPONENT_METRICS,
  type ComponentMetric,
  METRIC_NAMES,
  type MetricColumn,
  ofEachMetric,
  type ShownMetrics,
} from "../contents/component-metrics.ts";

export interface PageGroup {
  id: number;
  uuid: string;
  pageId: number;
  name: string;
  isCollapsed: boolean;
}

export interface ComponentSettings extends ShownMetrics {
  displayName: string;
  description: string;
}

export interface PageComponent extends ComponentSettings {
  id: number;
  uuid: string;
  pageId: number;
  monitorId: number;
  monitorUuid: string;
  /** The organization's name for it. */
  monitorName: string;
  kind: MonitorKind;
  groupId: number | null;
}

const columnOf = (metric: ComponentMetric) => COMPONENT_METRICS[metric].column;

const flag = (value: boolean): Flag => (value ? 1 : 0);

const columnsOf = (settings: ComponentSettings) => ({
  display_name: settings.displayName,
  description: settings.description,
  ...flagsOf(settings),
});

const flagsOf = (shown: ShownMetrics) =>
  Object.fromEntries(METRIC_NAMES.map((metric) => [columnOf(metric), flag(shown[metric])])) as Record<
    MetricColumn,
    Flag
  >;

export async function listGroups(db: Db, pageIds: readonly number[]): Promise<PageGroup[]> {
  const rows = await db
    .selectFrom("status_page_groups")
    .select(["id", "uuid", "page_id as pageId", "name", "is_collapsed"])
    .where(idIn("page_id", pageIds))
    .orderBy("position")
    .orderBy("id")
    .execute();
  return rows.map(({ is_collapsed, ...row }) => ({ ...row, isCollapsed: is_collapsed === 1 }));
}

/** In order within each group, without deleted monitors. */
export async function listComponents(db: Db, pageIds: readonly number[]): Promise<PageComponent[]> {
  const rows = await db
    .selectFrom("status_page_components as component")
    .innerJoin("monitors", "monitors.id", "component.monitor_id")
    .select(["component.id", "component.uuid", "component.page_id as pageId", "monitor_id as monitorId"])
    .select(["monitors.uuid as monitorUuid", "monitors.name as monitorName", "monitors.kind"])
    .select(["group_id as groupId", "display_name as displayName", "component.description"])
    .select(METRIC_NAMES.map(columnOf))
    .where(idIn("component.page_id", pageIds))
    .where("monitors.deleted_at", "is", null)
    .orderBy("position")
    .orderBy("component.id")
    .execute();
  return rows.map((row) => {
    const { id, uuid, pageId, monitorId, monitorUuid, monitorName, kind } = row;
    const { groupId, displayName, description } = row;
    return {
      ...{ id, uuid, pageId, monitorId, monitorUuid, monitorName, kind, groupId, displayName, description },
      ...ofEachMetric((metric) => row[columnOf(metric)] === 1),
    };
  });
}

export async function insertComponent(
  trx: Db,
  component: ComponentSettings & {
    uuid: string;
    organizationId: number;
    pageId: number;
    monitorId: number;
    groupId: number | null;
    position: number;
  },
): Promise<number> {
  const { id } = await trx
    .insertInto("status_page_components")
    .values({
      ...columnsOf(component),
      uuid: component.uuid,
      organization_id: component.organizationId,
      page_id: component.pageId,
      monitor_id: component.monitorId,
      group_id: component.groupId,
      position: component.position,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Its place stays. */
export async function saveComponent(trx: Db, id: number, settings: ComponentSettings): Promise<void> {
  await trx.updateTable("status_page_components").set(columnsOf(settings)).where("id", "=", id).execute();
}

export async function placeComponents(
  trx: Db,
  places: readonly { id: number; groupId: number | null; position: number }[],
): Promise<void> {
  for (const { id, groupId, position } of places)
    await trx
      .updateTable("status_page_components")
      .set({ group_id: groupId, position })
      .where("id", "=", id)
      .execute();
}

export async function deleteComponent(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom("status_page_components").where("id", "=", id).execute();
}

/** `id` null: a new one. */
export interface GroupToSave extends Pick<PageGroup, "uuid" | "name" | "isCollapsed"> {
  id: number | null;
}

/** In this order; returns their numbers by uuid. Components of removed groups become ungrouped. */
export async function saveGroups(
  trx: Db,
  { id: page_id, organizationId: organization_id }: { id: number; organizationId: number },
  groups: readonly GroupToSave[],
): Promise<Map<string, number>> {
  const remaining = groups.flatMap(({ id }) => id ?? []);
  await trx
    .deleteFrom("status_page_groups")
    .where("page_id", "=", page_id)
    .where(({ not }) => not(idIn("id", remaining)))
    .execute();
  const rows = groups.map(({ id, uuid, name, isCollapsed }, position) => ({
    id,
    row: { uuid, organization_id, page_id, name, position, is_collapsed: flag(isCollapsed) },
  }));
  for (const { id, row } of rows)
    if (id !== null) await trx.updateTable("status_page_groups").set(row).where("id", "=", id).execute();
  await insertMany(
    trx,
    "status_page_groups",
    rows.flatMap(({ id, row }) => (id === null ? row : [])),
  );
  return new Map((await listGroups(trx, [page_id])).map(({ id, uuid }) => [uuid, id]));
}
