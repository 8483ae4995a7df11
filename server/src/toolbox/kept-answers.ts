import { unavailable } from "../errors.ts";
import { keepRecent } from "../recent.ts";

const KEPT_MS = 60_000;
const MAX_KEPT = 1_000;
/** Each may hold a megabyte of what a registry sends. */
const MAX_UNDER_WAY = 50;
const RETRY_SECONDS = 5;

/**
 * Finds something out once for all who ask for it at the same time, and keeps the answer for a minute; a failure is kept
 * for nobody. Rejects with 503 when dozens are being found out already. `now`: milliseconds.
 */
export function keptAnswers<Answer>(now: () => number) {
  const kept = keepRecent<string, { answer: Answer; untilMs: number }>(MAX_KEPT);
  const underWay = new Map<string, Promise<Answer>>();
  return (key: string, find: () => Promise<Answer>): Promise<Answer> => {
    const known = kept.get(key);
    // One that ends further ahead was found out by a clock that was wrong.
    const leftMs = known === undefined ? 0 : known.untilMs - now();
    if (known !== undefined && leftMs > 0 && leftMs <= KEPT_MS) return Promise.resolve(known.answer);
    const other = underWay.get(key);
    if (other !== undefined) return other;
    if (underWay.size >= MAX_UNDER_WAY) return Promise.reject(unavailable(RETRY_SECONDS));
    const asked = find()
      .then((answer) => {
        kept.set(key, { answer, untilMs: now() + KEPT_MS });
        return answer;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, asked);
    return asked;
  };
}
