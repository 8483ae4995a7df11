/** Moves the focus to the page itself when the element that had it goes away. */
export const focusPage = (): void => document.getElementById("content")?.focus({ preventScroll: true });

/** Whether that is where the focus is. */
export const isPageFocused = (): boolean => document.activeElement?.id === "content";
