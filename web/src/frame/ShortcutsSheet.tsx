import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../components/Button.tsx";
import { Dialog } from "../components/Dialog.tsx";
import { type Shortcut, useAllShortcuts } from "../components/shortcuts.ts";
import { Keys } from "./Keys.tsx";

/** Every shortcut that works on the page now. */
export function ShortcutsSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const all = useAllShortcuts();
  // Read before the dialog stands and takes it.
  const [opener] = useState(() => document.activeElement);
  const focusOpener = useCallback(() => {
    if (opener instanceof HTMLElement) opener.focus();
  }, [opener]);
  return (
    <Dialog title={t("shortcuts.title")} onLeft={focusOpener} onClose={onClose}>
      {(["page", "app"] as const).map((group) => (
        <Group
          key={group}
          title={t(`shortcuts.${group}`)}
          shortcuts={all.filter((one) => one.group === group)}
        />
      ))}
      <div className="mt-5 flex justify-end">
        <Button variant="quiet" onClick={onClose}>
          {t("action.close")}
        </Button>
      </div>
    </Dialog>
  );
}

function Group({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  if (shortcuts.length === 0) return null;
  return (
    <section className="mt-4">
      <h3 className="text-xs text-ink-faint">{title}</h3>
      <dl className="mt-1">
        {shortcuts.map(({ keys, text }) => (
          <div
            key={keys}
            className="flex items-center justify-between gap-4 border-t border-line py-1.5 text-sm first:border-t-0"
          >
            <dt className="min-w-0">{text}</dt>
            <dd>
              <Keys keys={keys} />
              <span className="sr-only">{keys.replace("Mod+", "Ctrl + ")}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
