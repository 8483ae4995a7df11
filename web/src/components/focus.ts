import { useCallback, useState } from "react";

/** Moves the focus to the page itself when the element that had it goes away. */
export const focusPage = (): void => document.getElementById("content")?.focus({ preventScroll: true });

/** As `ref` of what goes away when it is pressed: the focus stays on the page, and does not fall out of it. */
export const keepFocus = (element: HTMLElement | null) => () => {
  if (element !== null && document.activeElement === element) focusPage();
};

/** In the next frame, since nothing behind an open dialog takes it; not where the reader has moved on by then. */
export function giveFocusBack(give: () => void): void {
  const before = document.activeElement;
  requestAnimationFrame(() => {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body || activeElement === before) give();
  });
}

/** Whether the reader is elsewhere already: at the page itself, in a menu, or about to write somewhere. */
export const isFocusTaken = (): boolean =>
  document.activeElement?.matches("#content, input, textarea") === true ||
  document.querySelector("[role=menu]") !== null;

/** For a dialog: gives the focus back to what had it when the dialog came; `otherwise`, where that is gone, to the page. */
export function useFocusBack(otherwise: () => void = focusPage): () => void {
  // Read before the dialog opens and takes it.
  const [focused] = useState(() => document.activeElement);
  return useCallback(() => {
    if (focused instanceof HTMLElement && focused.isConnected) focused.focus();
    else otherwise();
  }, [focused, otherwise]);
}
