import type { DraftComponent, DraftContents, DraftGroup, ListKey } from "./page-draft.ts";

export interface Spot {
  list: ListKey;
  at: number;
}

/** The lists of a page, in order, with their keys. */
const listsOf = ({ components, groups }: DraftContents): [ListKey, readonly DraftComponent[]][] => [
  [null, components],
  ...groups.map((group): [ListKey, readonly DraftComponent[]] => [group.key, group.components]),
];

export const listOf = (contents: DraftContents, list: ListKey): readonly DraftComponent[] =>
  listsOf(contents).find(([key]) => key === list)?.[1] ?? [];

/** A component's place; null: it is not on the page. */
export function spotOf(contents: DraftContents, key: string): Spot | null {
  for (const [list, own] of listsOf(contents)) {
    const at = own.findIndex((one) => one.key === key);
    if (at >= 0) return { list, at };
  }
  return null;
}

/** With each list of components put through `change`. */
function withLists<Draft extends DraftContents>(
  draft: Draft,
  change: (own: readonly DraftComponent[], list: ListKey) => readonly DraftComponent[],
): Draft {
  return {
    ...draft,
    components: change(draft.components, null),
    groups: draft.groups.map((group) => ({ ...group, components: change(group.components, group.key) })),
  };
}

/** A component as the `at`-th of a list, counted with the component where it was. */
export function moveTo<Draft extends DraftContents>(draft: Draft, key: string, { list, at }: Spot): Draft {
  const from = spotOf(draft, key);
  const moved = from && listOf(draft, from.list)[from.at];
  if (!from || !moved) return draft;
  const place = from.list === list && from.at < at ? at - 1 : at;
  return withLists(draft, (own, one) => {
    const others = own.filter((other) => other.key !== key);
    return one === list ? others.toSpliced(place, 0, moved) : others;
  });
}

/** One place up or down; from the end of a list into the next one. The same draft where there is nowhere to go. */
export function step<Draft extends DraftContents>(draft: Draft, key: string, by: 1 | -1): Draft {
  const from = spotOf(draft, key);
  if (!from) return draft;
  const lists = listsOf(draft);
  const index = lists.findIndex(([list]) => list === from.list);
  const own = lists[index]?.[1] ?? [];
  const isInside = by === 1 ? from.at < own.length - 1 : from.at > 0;
  if (isInside) return moveTo(draft, key, { list: from.list, at: by === 1 ? from.at + 2 : from.at - 1 });
  const next = lists[index + by];
  return next ? moveTo(draft, key, { list: next[0], at: by === 1 ? 0 : next[1].length }) : draft;
}

export function stepGroup<Draft extends DraftContents>(draft: Draft, key: string, by: 1 | -1): Draft {
  const at = draft.groups.findIndex((group) => group.key === key);
  return moveGroupTo(draft, key, by === 1 ? at + 2 : at - 1);
}

/** A group as the `to`-th, counted with the group where it was. */
export function moveGroupTo<Draft extends DraftContents>(draft: Draft, key: string, to: number): Draft {
  const at = draft.groups.findIndex((group) => group.key === key);
  const group = draft.groups[at];
  if (!group || to < 0 || to > draft.groups.length) return draft;
  const others = draft.groups.filter((other) => other !== group);
  return { ...draft, groups: others.toSpliced(at < to ? to - 1 : to, 0, group) };
}

export const changeComponent = <Draft extends DraftContents>(
  draft: Draft,
  key: string,
  change: Partial<DraftComponent>,
): Draft => withLists(draft, (own) => own.map((one) => (one.key === key ? { ...one, ...change } : one)));

export const removeComponent = <Draft extends DraftContents>(draft: Draft, key: string): Draft =>
  withLists(draft, (own) => own.filter((one) => one.key !== key));

export const addComponents = <Draft extends DraftContents>(
  draft: Draft,
  list: ListKey,
  more: readonly DraftComponent[],
): Draft => withLists(draft, (own, one) => (one === list ? [...own, ...more] : own));

export const changeGroup = <Draft extends DraftContents>(
  draft: Draft,
  key: string,
  change: Partial<Omit<DraftGroup, "components">>,
): Draft => ({
  ...draft,
  groups: draft.groups.map((group) => (group.key === key ? { ...group, ...change } : group)),
});

/** Without a group: what was in it stays on the page, without one. */
export const removeGroup = <Draft extends DraftContents>(draft: Draft, key: string): Draft => ({
  ...draft,
  components: [...draft.components, ...listOf(draft, key)],
  groups: draft.groups.filter((group) => group.key !== key),
});

export const addGroup = <Draft extends DraftContents>(draft: Draft, key: string, name: string): Draft => ({
  ...draft,
  groups: [...draft.groups, { key, isNew: true, name, isCollapsed: false, components: [] }],
});
