import { hashKey, type QueryClient, type QueryKey, type QueryState } from "@tanstack/react-query";

/** Reads anew what is in sight of it, and marks the rest. A first reading that began before is followed by another. */
function readAgain(client: QueryClient, queryKey: QueryKey): void {
  const isFirst = ({ state }: { state: QueryState }) =>
    state.fetchStatus === "fetching" && state.data === undefined;
  for (const query of client.getQueryCache().findAll({ queryKey, predicate: isFirst })) {
    const again = () => client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    // What could not be read is not known from before either.
    query.promise?.then(again, () => {});
  }
  void client.invalidateQueries({ queryKey });
}

/** What waits to be read again. */
interface Round {
  keys: Map<string, QueryKey>;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** When the last one was made. */
  at: number;
}

/** Events come in crowds: they are waited for this long. */
const pauseMs = 1_000;

/** Makes a function that works as `readAgainSoon` does, with at least so long between two rounds. */
export function readingRounds(restMs: number): (client: QueryClient, ...keys: readonly QueryKey[]) => void {
  const rounds = new WeakMap<QueryClient, Round>();
  return (client, ...keys) => {
    const round: Round = rounds.get(client) ?? { keys: new Map(), timer: undefined, at: 0 };
    rounds.set(client, round);
    for (const key of keys) round.keys.set(hashKey(key), key);
    if (round.keys.size === 0) return;
    round.timer ??= setTimeout(
      () => {
        round.timer = undefined;
        round.at = Date.now();
        const waiting = [...round.keys.values()];
        round.keys.clear();
        for (const key of waiting) {
          if (!waiting.some((other) => isPartOf(key, other))) readAgain(client, key);
        }
      },
      Math.max(pauseMs, round.at + restMs - Date.now()),
    );
  };
}

/** Whether what a key names is among what a shorter one does. */
const isPartOf = (key: QueryKey, whole: QueryKey): boolean =>
  whole.length < key.length && hashKey(key.slice(0, whole.length)) === hashKey(whole);

/** Reads again in a moment what these keys name; any number of calls until then make one round. */
export const readAgainSoon = readingRounds(0);
