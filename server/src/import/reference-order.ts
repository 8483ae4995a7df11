/** Something that has a name, and names others. */
export interface Referring {
  name: string | null;
  /** Names of others, perhaps of none that is there. */
  names: readonly string[];
}

/**
 * In an order in which each comes after all that it names: first those that name nobody, then those that name these, and
 * so on; else as they stood. Those that name each other in a circle come last. Linear in names.
 */
export function inOrderOfReferences<T extends Referring>(items: readonly T[]): T[] {
  const left = new Map<string, number>();
  for (const { name } of items) if (name !== null) left.set(name, (left.get(name) ?? 0) + 1);
  const waiting = new Map<string, number[]>();
  const pending = items.map(({ name, names }, at) => {
    const awaited = new Set(names.filter((one) => one !== name && left.has(one)));
    for (const one of awaited) {
      const others = waiting.get(one);
      if (others) others.push(at);
      else waiting.set(one, [at]);
    }
    return awaited.size;
  });
  const order = new Set<number>();
  /** Takes these next; gives those that waited for nobody else. */
  const take = (level: readonly number[]): number[] => {
    const freed: number[] = [];
    for (const at of level) {
      order.add(at);
      const name = items[at]?.name ?? null;
      if (name === null) continue;
      const others = (left.get(name) ?? 0) - 1;
      left.set(name, others);
      if (others > 0) continue;
      for (const next of waiting.get(name) ?? []) if (--(pending[next] as number) === 0) freed.push(next);
    }
    return freed;
  };
  const all = [...items.keys()];
  const waitingForNobody = all.filter((at) => items[at]?.names.length && pending[at] === 0);
  const naming = take(all.filter((at) => items[at]?.names.length === 0));
  for (let level = [...waitingForNobody, ...naming]; level.length > 0; )
    level = take(level.toSorted((one, other) => one - other));
  return [...order, ...all.filter((at) => !order.has(at))].map((at) => items[at] as T);
}
