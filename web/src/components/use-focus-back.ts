import { useCallback, useState } from "react";
import { focusPage } from "./focus-page.ts";

/** For a dialog: gives the focus back to what had it when the dialog came; `otherwise`, where that is gone, to the page. */
export function useFocusBack(otherwise: () => void = focusPage): () => void {
  // Read before the dialog stands and takes it.
  const [focused] = useState(() => document.activeElement);
  return useCallback(() => {
    if (focused instanceof HTMLElement && focused.isConnected) focused.focus();
    else otherwise();
  }, [focused, otherwise]);
}
