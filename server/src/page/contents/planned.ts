import { randomUUIDv7 } from "node:crypto";
import { PublicError } from "../../errors.ts";
import type { Monitor } from "../../store/queries/monitors.ts";
import type { PageComponent, PageGroup } from "../../store/queries/status-page-components.ts";
import { fact } from "../../texts/fact.ts";
import { type ComponentInput, MAX_COMPONENTS } from "../../wire/status-pages.ts";
import { derivedUuid } from "../derived-uuid.ts";
import { settingsOf, USUAL_COMPONENT } from "./component-settings.ts";
import { type Checked, tellsTarget } from "./display-name.ts";

/** A component as it is to be; `id` null: a new one. */
export interface PlannedComponent extends Omit<PageComponent, "id" | "groupId" | "pageId"> {
  id: number | null;
}

/** A group as it is to be, beside what is in it; `id` null: a new one. */
export interface PlannedGroup extends Omit<PageGroup, "id" | "pageId"> {
  id: number | null;
}

/** Everything that a page is to show. Nothing of it is stored yet. */
export interface PlannedContents {
  components: PlannedComponent[];
  groups: (PlannedGroup & { components: PlannedComponent[] })[];
}

/** Throws 403 where a page is to show more than it can. */
export function assertFits(components: number): void {
  if (components > MAX_COMPONENTS) {
    throw new PublicError("quota_reached", fact("page.many_components", { limit: MAX_COMPONENTS }));
  }
}

/** A new component for a monitor; null where it needs a name for visitors, because the monitor's tells what is checked. */
export function newComponent(
  page: { uuid: string },
  { monitor, checked }: { monitor: Pick<Monitor, "id" | "uuid" | "kind" | "name">; checked: Checked },
  input: ComponentInput,
): PlannedComponent | null {
  const { id: monitorId, uuid: monitorUuid, name: monitorName, kind } = monitor;
  if (input.displayName === undefined && tellsTarget(monitorName, checked)) return null;
  return {
    ...{ id: null, uuid: componentUuid(page, monitor), monitorId, monitorUuid, monitorName, kind },
    ...settingsOf({ ...USUAL_COMPONENT, displayName: monitorName }, input),
  };
}

interface GroupInput {
  /** Absent: a new one. */
  uuid?: string | undefined;
  name: string;
  isCollapsed?: boolean | undefined;
}

/** A group as it is asked for: what is not said stays. `was`: the one of that uuid. */
export const plannedGroup = (input: GroupInput, was: PageGroup | undefined): PlannedGroup => ({
  ...{ id: was?.id ?? null, uuid: was?.uuid ?? randomUUIDv7(), name: input.name.trim() },
  isCollapsed: input.isCollapsed ?? was?.isCollapsed ?? false,
});

/** The uuid of what a page shows of a monitor: the same when it is linked again, so that whoever chose it hears of it as before. */
const componentUuid = (page: { uuid: string }, monitor: { uuid: string }): string =>
  derivedUuid(page.uuid, `component ${monitor.uuid}`);
