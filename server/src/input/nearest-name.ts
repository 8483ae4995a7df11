import { v2Word } from "../wire/v2/snake-case.ts";

/** Nobody mistypes a longer name. */
const MAX_LENGTH = 64;

/** The known name that was probably meant: legacy's word for it, else one that differs by a slip; null: none. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const word = v2Word(name);
  if (known.includes(word)) return word;
  if (name.length > MAX_LENGTH) return null;
  const slips = name.length < 4 ? 1 : name.length < 9 ? 2 : 3;
  const near = known
    .map((candidate) => ({ candidate, distance: distanceOf(word, candidate) }))
    .filter(({ distance }) => distance <= slips)
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.candidate ?? containing(word, known);
}

/** `organization_id` for `organization`. */
const containing = (word: string, known: readonly string[]): string | null =>
  known.find((candidate) => candidate.length > 3 && word.split("_").includes(candidate)) ?? null;

/** How many letters have to be inserted, removed or changed (Levenshtein). */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 0; i < one.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j += 1) {
      const changed = (row[j] as number) + (one[i] === other[j] ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] as number) + 1, (next[j] as number) + 1));
    }
    row = next;
  }
  return row[other.length] as number;
}
