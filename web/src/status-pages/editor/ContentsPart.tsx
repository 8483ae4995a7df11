import { FolderPlus, LayoutList, Plus } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/Button.tsx";
import { Card } from "../../components/Card.tsx";
import { Dialog, DialogButtons } from "../../components/Dialog.tsx";
import { useFocusBack } from "../../components/focus.ts";
import { EmptyState } from "../../components/Loaded.tsx";
import { MonitorChooser } from "../../forms/MonitorChooser.tsx";
import { useMonitorChoice } from "../../forms/use-monitor-choice.ts";
import { addComponents, addGroup } from "./arrange.ts";
import { ComponentList } from "./ComponentList.tsx";
import { GroupCard } from "./GroupCard.tsx";
import {
  type DraftComponent,
  type ListKey,
  newComponent,
  type PartProps,
  problemsByKey,
} from "./page-draft.ts";
import { useArranging } from "./use-arranging.ts";

interface ContentsPartProps extends PartProps {
  /** Why the last save was refused. */
  refusal: Error | null;
  /** Those whose names reveal an address to visitors, by their keys. */
  revealing: readonly string[];
}

export function ContentsPart({ draft, errors, refusal, revealing, onChange }: ContentsPartProps) {
  const { t } = useTranslation("status-pages/editor");
  const hint = useId();
  const problems = problemsByKey(draft, errors);
  const arranging = useArranging(draft, onChange, { hint, problems, refusal, revealing });
  /** Undefined: nothing is being added. */
  const [addTo, setAddTo] = useState<ListKey>();
  const own = [...draft.components, ...draft.groups.flatMap(({ components }) => components)];
  const isEmpty = own.length === 0 && draft.groups.length === 0;
  const startGroup = () => {
    const key = crypto.randomUUID();
    onChange(addGroup(draft, key, ""));
    arranging.awaitFocus(`[data-group-name="${key}"]`);
  };
  return (
    <>
      <p id={hint} className="sr-only">
        {t("contents.keys")}
      </p>
      <p role="status" className="sr-only">
        {arranging.said}
      </p>
      {isEmpty ? (
        <Card>
          <EmptyState
            icon={<LayoutList aria-hidden className="size-7" strokeWidth={1.25} />}
            title={t("contents.empty.title")}
            text={t("contents.empty.text")}
          >
            <Button variant="quiet" onClick={() => setAddTo(null)}>
              <Plus aria-hidden className="-ml-0.5 size-4" />
              {t("contents.add")}
            </Button>
          </EmptyState>
        </Card>
      ) : (
        <>
          <Card>
            <ComponentList list={null} components={draft.components} arranging={arranging} />
          </Card>
          {draft.groups.map((group, at) => (
            <GroupCard
              key={group.key}
              group={group}
              at={at}
              arranging={arranging}
              onAdd={() => setAddTo(group.key)}
            />
          ))}
          <div className="flex flex-wrap gap-2">
            <Button variant="quiet" onClick={() => setAddTo(null)}>
              <Plus aria-hidden className="-ml-0.5 size-4" />
              {t("contents.add")}
            </Button>
            <Button variant="quiet" onClick={startGroup}>
              <FolderPlus aria-hidden className="-ml-0.5 size-4" />
              {t("contents.addGroup")}
            </Button>
          </div>
        </>
      )}
      {addTo !== undefined && (
        <AddMonitorsDialog
          onPage={own.flatMap(({ monitorUuid }) => monitorUuid ?? [])}
          onAdd={(more) => onChange(addComponents(draft, addTo, more))}
          onClose={() => setAddTo(undefined)}
        />
      )}
    </>
  );
}

interface AddMonitorsDialogProps {
  /** The monitors that the page shows already: each is shown once. */
  onPage: readonly string[];
  onAdd: (components: readonly DraftComponent[]) => void;
  onClose: () => void;
}

/** Chooses monitors that the page is to show, too. */
function AddMonitorsDialog({ onPage, onAdd, onClose }: AddMonitorsDialogProps) {
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
