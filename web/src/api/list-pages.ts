/** The most that the API gives at once. */
const largestPage = 1000;

interface RangeReading<Item> {
  /** A page of `pageSize` items as it is known already; `page` from 0. */
  known: (page: number) => readonly Item[] | undefined;
  /** One page of any size, from the API. */
  read: (page: number, limit: number) => Promise<readonly Item[]>;
}

/** The items of a view from one place to another, both included; nothing that is cached is requested. */
export async function readRange<Item>(
  { known, read }: RangeReading<Item>,
  from: number,
  to: number,
): Promise<Item[]> {
  const cached: Item[] = [];
  for (let at = from; at <= to; at++) {
    const item = known(Math.floor(at / pageSize))?.[at % pageSize];
    if (!item) break;
    cached.push(item);
  }
  if (cached.length === to - from + 1) return cached;
  const pages = [];
  for (let page = Math.floor(from / largestPage); page * largestPage <= to; page++) {
    pages.push(await read(page, largestPage));
  }
  const start = Math.floor(from / largestPage) * largestPage;
  return pages.flat().slice(from - start, to - start + 1);
}

/** About two screens: a list requests what is in sight and little more. */
export const pageSize = 50;
