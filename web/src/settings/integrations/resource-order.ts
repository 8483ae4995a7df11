import type { Resource } from "../../api/integrations.ts";

const textsOf = ({ name, type, place, address }: Resource): (string | null)[] => [name, type, place, address];

const isOfUse = ({ canBeMonitored, monitor }: Resource): boolean => canBeMonitored || monitor !== null;

/**
 * Those in which the searched text stands, in the order in which people want them: names before the rest, then what is
 * monitored and was removed over there, what is monitored, what can be. Clouds list much besides.
 */
export function foundResources(all: readonly Resource[], search: string): Resource[] {
  const wanted = search.trim().toLowerCase();
  const rank = (one: Resource): number =>
    Number(one.name.toLowerCase().includes(wanted)) * 8 +
    Number(one.removedAt !== null) * 4 +
    Number(one.monitor !== null) * 2 +
    Number(isOfUse(one));
  return all
    .filter((one) => textsOf(one).some((text) => text?.toLowerCase().includes(wanted)))
    .toSorted((one, other) => rank(other) - rank(one));
}
