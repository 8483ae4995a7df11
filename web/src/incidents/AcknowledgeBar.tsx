import { Check } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Incident } from "../api/incidents.ts";
import { Button } from "../components/Button.tsx";
import { focusPage } from "../components/focus-page.ts";
import { type Shortcut, useShortcuts } from "../components/shortcuts.ts";
import { BulkBar } from "../list/BulkBar.tsx";
import { focusedRow } from "../list/use-list-keys.ts";
import type { Chosen } from "../list/use-selection.ts";
import { useAcknowledging } from "./use-acknowledging.ts";
import { useActs } from "./use-acts.ts";

interface AcknowledgeBarProps {
  selection: {
    chosen: Chosen<Incident>;
    clear: () => void;
    keep: (incidents: readonly Incident[]) => void;
  };
  itemAt: (index: number) => Incident | undefined;
}

/** Acknowledges what is chosen in the list; the key `a` does, too, and where nothing is, the row that has the focus. */
export function AcknowledgeBar({ selection, itemAt }: AcknowledgeBarProps) {
  const { t } = useTranslation("incidents");
  const { chosen, clear, keep } = selection;
  const { start, running } = useAcknowledging(keep);
  const { acknowledge } = useActs();
  const acknowledgeChosen = () => {
    // The button that was pressed makes way for the progress.
    if (focusedRow() === null) focusPage();
    void start([...chosen.values()]);
  };
  const press = () => {
    if (running) return;
    if (chosen.size > 0) return acknowledgeChosen();
    const index = focusedRow();
    const incident = index === null ? undefined : itemAt(index);
    if (incident) acknowledge(incident);
  };
  const latest = useRef(press);
  useEffect(() => {
    latest.current = press;
  });
  const shortcuts = useMemo(
    (): Shortcut[] => [{ keys: "a", text: t("bulk.key"), group: "page", run: () => latest.current() }],
    [t],
  );
  useShortcuts(shortcuts);
  return (
    <BulkBar label={t("bulk.label")} count={chosen.size} running={running} onClear={clear}>
      <Button onClick={acknowledgeChosen}>
        <Check aria-hidden className="size-4 max-sm:hidden" />
        {t("action.acknowledge")}
      </Button>
    </BulkBar>
  );
}
