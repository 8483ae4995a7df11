import {
  type ComponentMetric,
  DEFAULT_METRICS,
  metricsOf,
} from "../../../../server/src/status-pages/contents/component-metrics.ts";
import {
  type PageSwitch,
  type PageText,
  plainSettings,
  SWITCH_NAMES,
} from "../../../../server/src/status-pages/plain-settings.ts";
import type { FieldErrors } from "../../api/client.ts";
import type { PageComponent, StatusPage, StatusPageChange } from "../../api/status-pages.ts";

export interface DraftComponent extends Pick<PageComponent, "displayName" | "description" | ComponentMetric> {
  /** Its uuid, or for a new one that of its monitor. */
  key: string;
  isNew: boolean;
  /** Null: one that the reader may not know. */
  monitorUuid: string | null;
  monitorName: string | null;
}

/** A heading with the components under it. */
export interface DraftGroup {
  /** Its uuid, or for a new one something else that nothing else has. */
  key: string;
  isNew: boolean;
  name: string;
  isCollapsed: boolean;
  components: readonly DraftComponent[];
}

/** What a page shows, as it is edited. */
export interface DraftContents {
  /** Without a group. */
  components: readonly DraftComponent[];
  groups: readonly DraftGroup[];
}

/** A list of components: a group's key, or null for those without one. */
export type ListKey = string | null;

/** What is on or off for a page; who may see it is saved by itself. */
export const draftSwitches = SWITCH_NAMES.filter((name) => name !== "isPublic");
type DraftSwitch = Exclude<PageSwitch, "isPublic">;

export interface PageDraft extends DraftContents, Pick<StatusPage, PageText | DraftSwitch> {
  appearance: DraftLook;
}

/** What is saved as one, by its name in the API. */
export type DraftField = Exclude<keyof PageDraft, keyof DraftContents> | "contents";

/** How a page looks, but for its logo, which is set at once. */
export type DraftLook = Pick<StatusPage["appearance"], "theme" | "accent" | "footer" | "css" | "languages">;

const componentOf = (component: PageComponent): DraftComponent => {
  const { uuid, monitorUuid, monitorName, displayName, description } = component;
  return {
    ...{ key: uuid, isNew: false, monitorUuid, monitorName, displayName, description },
    ...metricsOf(component),
  };
};

export function draftOf(page: StatusPage): PageDraft {
  const { isPublic: _, ...settings } = plainSettings(page);
  const { theme, accent, footer, css, languages } = page.appearance;
  const inGroup = (id: number | null) =>
    page.components.filter(({ groupId }) => groupId === id).map(componentOf);
  return {
    ...settings,
    appearance: { theme, accent, footer, css, languages },
    components: inGroup(null),
    groups: page.groups.map((group) => ({
      ...{ key: group.uuid, isNew: false, name: group.name, isCollapsed: group.isCollapsed },
      components: inGroup(group.id),
    })),
  };
}

/** A component of a monitor that is not on the page yet. */
export const newComponent = (monitor: { uuid: string; name: string }): DraftComponent => ({
  ...{ key: monitor.uuid, isNew: true, monitorUuid: monitor.uuid, monitorName: monitor.name },
  ...{ displayName: "", description: "", ...DEFAULT_METRICS },
});

/** What is sent of a component; without a name of its own a new one gets its monitor's. */
function componentBody({ key, isNew, monitorUuid, monitorName: _, displayName, ...shown }: DraftComponent) {
  const named = isNew && displayName.trim() === "" ? {} : { displayName };
  return { ...(isNew ? { monitorUuid: monitorUuid ?? key } : { uuid: key }), ...named, ...shown };
}

const contentsBody = ({ components, groups }: DraftContents) => ({
  components: components.map(componentBody),
  groups: groups.map(({ key, isNew, name, isCollapsed, components: own }) => ({
    ...(!isNew && { uuid: key }),
    ...{ name, isCollapsed, components: own.map(componentBody) },
  })),
});

/** Of a draft, what is not as the page has it. */
export function changeOf(draft: PageDraft, page: StatusPage): StatusPageChange {
  const before = draftOf(page);
  const { components, groups, ...settings } = draft;
  const changed = Object.entries(settings).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof PageDraft]),
  );
  const contents = contentsBody({ components, groups });
  const isSame = JSON.stringify(contents) === JSON.stringify(contentsBody(before));
  return { ...Object.fromEntries(changed), ...(!isSame && { contents }) };
}

/** What is changed as one: a page's setting, or everything that it shows. */
const partsOf = ({ components, groups, ...settings }: PageDraft) =>
  ({ ...settings, contents: contentsBody({ components, groups }) }) as Record<string, unknown>;

/** What was not edited is as the newer page has it. Null where both have changed the same. */
export function rebasedDraft(draft: PageDraft, base: StatusPage, page: StatusPage): PageDraft | null {
  const [mine, before, theirs] = [draft, draftOf(base), draftOf(page)].map(partsOf);
  const differs = (name: string, one?: Record<string, unknown>) =>
    JSON.stringify(one?.[name]) !== JSON.stringify(before?.[name]);
  const touched = Object.keys(mine ?? {}).filter((name) => differs(name, mine));
  if (touched.some((name) => differs(name, theirs))) return null;
  const changedNames = touched.flatMap((name) => (name === "contents" ? ["components", "groups"] : [name]));
  return {
    ...draftOf(page),
    ...Object.fromEntries(changedNames.map((name) => [name, draft[name as keyof PageDraft]])),
  };
}

/**
 * What others took off the page is put on it anew. `lost`: names of what cannot be, because the reader may
 * not know the monitor.
 */
export function draftOver(draft: PageDraft, page: StatusPage): { draft: PageDraft; lost: string[] } {
  const uuids = new Set(page.components.map(({ uuid }) => uuid));
  const byMonitor = new Map(page.components.map((one) => [one.monitorUuid, one.uuid]));
  const groups = new Set(page.groups.map(({ uuid }) => uuid));
  const lost: string[] = [];
  const again = (component: DraftComponent): DraftComponent[] => {
    const { monitorUuid, displayName } = component;
    if (uuids.has(component.key)) return [component];
    if (monitorUuid === null) {
      lost.push(displayName);
      return [];
    }
    const there = byMonitor.get(monitorUuid);
    return [{ ...component, key: there ?? monitorUuid, isNew: there === undefined }];
  };
  const next = {
    ...draft,
    components: draft.components.flatMap(again),
    groups: draft.groups.map((group) => ({
      ...{ ...group, isNew: !groups.has(group.key) },
      components: group.components.flatMap(again),
    })),
  };
  return { draft: next, lost };
}

/** What the API found wrong, by the key of the component or group that it is about, and then by its box; empty: by no box. */
export function problemsByKey(
  { components, groups }: DraftContents,
  errors: FieldErrors,
): ReadonlyMap<string, Record<string, string[]>> {
  const found = new Map<string, Record<string, string[]>>();
  for (const [path, sentences = []] of Object.entries(errors)) {
    const [, group, own, at, box = ""] =
      /^contents(?:\.groups\.(\d+))?(?:\.(components)\.(\d+))?(?:\.(\w+))?/.exec(path) ?? [];
    const list = group === undefined ? components : groups[Number(group)]?.components;
    const key = own ? list?.[Number(at)]?.key : group && groups[Number(group)]?.key;
    if (key === undefined) continue;
    const known = found.get(key) ?? {};
    found.set(key, { ...known, [box]: [...(known[box] ?? []), ...sentences] });
  }
  return found;
}

/** What each part of the editor that is saved with the others is given. */
export interface PartProps {
  /** The page as it was when the draft was begun. */
  page: StatusPage;
  draft: PageDraft;
  errors: FieldErrors;
  onChange: (draft: PageDraft) => void;
}

/** What those are given that save by themselves. */
export interface OwnPartProps {
  page: StatusPage;
  onSaved: (page: StatusPage) => void;
}
