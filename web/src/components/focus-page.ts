/** Moves the focus to the page itself when the element that had it goes away. */
export const focusPage = (): void => document.getElementById("content")?.focus({ preventScroll: true });

/** Whether the reader is elsewhere already: at the page itself, or in a menu. */
export const isFocusTaken = (): boolean =>
  document.activeElement?.id === "content" || document.querySelector("[role=menu]") !== null;
