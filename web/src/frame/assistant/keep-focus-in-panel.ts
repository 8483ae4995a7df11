/** As `ref` of what goes when it is pressed, or something in it: the focus stays in the panel, where something is said if it was there. */
export const keepFocusInPanel = (element: HTMLElement | null) => () => {
  if (!element?.contains(document.activeElement)) return;
  element.closest<HTMLElement>("[role=log], [data-assistant]")?.focus({ preventScroll: true });
};
