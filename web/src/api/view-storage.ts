/** Where this browser has the last view (kept-view.ts). */
export const viewKey = "vedette.view";

/** Forgets it, so that nobody else sees it. */
export function forgetView(): void {
  try {
    localStorage.removeItem(viewKey);
  } catch {
    // Storage is blocked: there is none.
  }
}
