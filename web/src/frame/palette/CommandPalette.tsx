import { useQuery } from "@tanstack/react-query";
import { type ComponentType, useEffect, useState } from "react";
import { type Session, sessionQuery } from "../../api/session.ts";
import { i18n, loadPageTexts } from "../../i18n/i18n.ts";
import { readTexts } from "../../i18n/texts.ts";
import { showToast } from "../../toasts.ts";
import { closePalette, usePaletteOpen, useRememberVisits } from "./palette-state.ts";

type PaletteDialog = ComponentType<{ session: Session }>;

const texts = "frame/palette";

/** The palette's own script and texts come when it is opened first; English ones too, since its lines are found by these. */
async function loadPalette(): Promise<PaletteDialog> {
  const [script, english] = await Promise.all([
    import("./PaletteDialog.tsx"),
    readTexts(texts, "en"),
    loadPageTexts(texts, "incidents", "monitors", "settings"),
  ]);
  i18n.addResourceBundle("en", texts, english);
  return script.PaletteDialog;
}

/** Opens above every page behind the sign-in; the frame has the keys for it. */
export function CommandPalette() {
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  return session ? <OwnPalette session={session} /> : null;
}

function OwnPalette({ session }: { session: Session }) {
  const isOpen = usePaletteOpen();
  const [loaded, setLoaded] = useState<{ Dialog: PaletteDialog } | null>(null);
  useRememberVisits(session);
  useEffect(() => closePalette, []);
  useEffect(() => {
    if (!isOpen || loaded) return;
    loadPalette().then(
      (Dialog) => setLoaded({ Dialog }),
      () => {
        closePalette();
        showToast("error", i18n.t("error.unreachable"));
      },
    );
  }, [isOpen, loaded]);
  return isOpen && loaded ? <loaded.Dialog session={session} /> : null;
}
