import { type FocusEvent, useEffect, useMemo, useState } from "react";

/** Handlers by which a list tells whether somebody is at work in it: the pointer is over it, or a row has the focus. */
export function useAttention(tell: (isAtWork: boolean) => void) {
  const [isOver, setOver] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  useEffect(() => {
    tell(isOver || hasFocus);
    return () => tell(false);
  }, [tell, isOver, hasFocus]);
  return useMemo(
    () => ({
      onPointerEnter: () => setOver(true),
      onPointerLeave: () => {
        setOver(false);
        // A row that had the focus may be gone without a word.
        setFocus(isInRow(document.activeElement));
      },
      onFocus: ({ target }: FocusEvent) => setFocus(isInRow(target)),
      onBlur: ({ relatedTarget }: FocusEvent) => setFocus(isInRow(relatedTarget)),
    }),
    [],
  );
}

/** A row's menu stands elsewhere. */
const isInRow = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("[data-index], [role=menu]") !== null;
