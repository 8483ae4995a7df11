import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Puts the drills between the browser tests, spread evenly: a drill waits for most of its time, a browser computes, and
 * three of one sort at a time would leave the machine idle or overload it. All else keeps vitest's order. (vitest wants a class.)
 */
export class MixedOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const of = (project: string) => sorted.filter((file) => file.project.name === project);
    const [drills, browsers] = [of("drills"), of("e2e")];
    const others = sorted.filter((file) => !drills.includes(file) && !browsers.includes(file));
    return [...others, ...spread(drills, browsers)];
  }
}

/** Both lists in their own order, as evenly mixed as their lengths allow. */
function spread<T>(some: readonly T[], more: readonly T[]): T[] {
  const placed = (list: readonly T[]) =>
    list.map((one, at) => ({ one, place: (at + 1) / (list.length + 1) }));
  return [...placed(some), ...placed(more)].toSorted((a, b) => a.place - b.place).map(({ one }) => one);
}
