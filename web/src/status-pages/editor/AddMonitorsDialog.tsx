import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/Button.tsx";
import { Dialog, DialogButtons } from "../../components/Dialog.tsx";
import { useFocusBack } from "../../components/use-focus-back.ts";
import { MonitorChooser } from "../../forms/MonitorChooser.tsx";
import { useMonitorChoice } from "../../forms/use-monitor-choice.ts";
import { type DraftComponent, newComponent } from "./page-draft.ts";

interface AddMonitorsDialogProps {
  /** The monitors that the page shows already: each is shown once. */
  onPage: readonly string[];
  onAdd: (components: readonly DraftComponent[]) => void;
  onClose: () => void;
}

/** Chooses monitors that the page is to show, too. */
export function AddMonitorsDialog({ onPage, onAdd, onClose }: AddMonitorsDialogProps) {
  const { t } = useTranslation("status-pages/editor");
  const id = useId();
  const focusBack = useFocusBack();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const choice = useMonitorChoice(chosen, setChosen, { others: onPage });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onAdd(chosen.flatMap((uuid) => choice.named.get(uuid) ?? []).map(newComponent));
    onClose();
  };
  return (
    <Dialog title={t("add.title")} text={t("add.text")} onLeft={focusBack} onClose={onClose}>
      <form onSubmit={submit} noValidate className="mt-4 grid gap-5">
        <div className="grid gap-1.5">
          <label htmlFor={id} className="w-fit text-sm font-medium">
            {t("add.monitors")}
          </label>
          <MonitorChooser control={{ id }} label={t("add.monitors")} isWrong={false} choice={choice} />
        </div>
        <DialogButtons onCancel={onClose}>
          <Button type="submit" disabled={chosen.length === 0}>
            {t("add.submit")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
