import { type RefObject, useLayoutEffect, useState } from "react";

const gapPx = 6;
/** Of the "+12" that stands for those without room. */
const restPx = 30;

/** How many chips of these widths (pixels) stand whole in the room, where "+N" stands for the others. */
export function chipsShown(widthsPx: readonly number[], roomPx: number): number {
  let shown = 0;
  let takenPx = 0;
  for (const [at, widthPx] of widthsPx.entries()) {
    takenPx += widthPx + (at > 0 ? gapPx : 0);
    const isLast = at === widthsPx.length - 1;
    if (takenPx + (isLast ? 0 : gapPx + restPx) > roomPx) break;
    shown = at + 1;
  }
  return shown;
}

/** How many of the element's first children, a chip for each of these words, it has room for. */
export function useChipsShown(element: RefObject<HTMLElement | null>, words: readonly string[]): number {
  const [shown, setShown] = useState(0);
  useLayoutEffect(() => {
    const frame = element.current;
    if (!frame) return;
    const chips = words.map((_, at) => frame.children[at] as HTMLElement);
    const measure = () =>
      setShown(
        chipsShown(
          chips.map(({ offsetWidth }) => offsetWidth),
          frame.clientWidth,
        ),
      );
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(frame);
    // Another font makes them wider or narrower.
    for (const chip of chips) observer.observe(chip);
    return () => observer.disconnect();
  }, [element, words]);
  return shown;
}
