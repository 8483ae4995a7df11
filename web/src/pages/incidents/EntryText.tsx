import { Ellipsis, Pencil, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { type LogEntry, useIncidentAct } from "../../api/incidents.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { DialogButtons } from "../../components/Dialog.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { textOf } from "../../components/form-text.ts";
import { Menu, MenuItem } from "../../components/Menu.tsx";
import { TextArea } from "../../components/TextArea.tsx";
import { useFocusBack } from "../../components/use-focus-back.ts";
import { useFormErrors } from "../../components/use-form-errors.ts";

interface EntryTextProps {
  entry: LogEntry;
  incidentId: number;
  text: string;
  canChange: boolean;
}

/** What an entry of the timeline says; who may change it rewrites it in its place, or removes the entry. */
export function EntryText({ canChange, ...entry }: EntryTextProps) {
  const { t } = useTranslation("incidents");
  const [doing, setDoing] = useState<"edit" | "remove">();
  if (doing === "edit") return <EntryForm {...entry} onDone={() => setDoing(undefined)} />;
  const trigger = (
    <IconButton label={t("timeline.menu")} className="absolute top-1.5 right-0">
      <Ellipsis aria-hidden className="size-4" />
    </IconButton>
  );
  return (
    <>
      <p className="mt-0.5 text-pretty break-words whitespace-pre-line">{entry.text}</p>
      {canChange && (
        <Menu trigger={trigger}>
          <MenuItem icon={<Pencil aria-hidden />} onSelect={() => setDoing("edit")}>
            {t("action.edit")}
          </MenuItem>
          <MenuItem icon={<Trash2 aria-hidden />} danger onSelect={() => setDoing("remove")}>
            {t("action.delete")}
          </MenuItem>
        </Menu>
      )}
      {doing === "remove" && <RemoveDialog {...entry} onDone={() => setDoing(undefined)} />}
    </>
  );
}

type DoingProps = Omit<EntryTextProps, "canChange"> & { onDone: () => void };

function EntryForm({ entry, incidentId: id, text, onDone }: DoingProps) {
  const { t } = useTranslation("incidents");
  const act = useIncidentAct();
  const { form, fields, failure } = useFormErrors(act.error, ["message", "content"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = textOf(new FormData(event.currentTarget), "text");
    act.mutate({ act: "edit", id, ...entry, text: typed }, { onSuccess: onDone });
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="mt-2 grid gap-3">
      <FailureNotice of={failure} />
      <TextArea
        ref={(box) => box?.focus()}
        name="text"
        label={t("timeline.text")}
        hideLabel
        rows={3}
        defaultValue={text}
        errors={[...(fields.message ?? []), ...(fields.content ?? [])]}
        maxLength={10_000}
      />
      <DialogButtons onCancel={onDone}>
        <Button type="submit" busy={act.isPending}>
          {t("edit.save")}
        </Button>
      </DialogButtons>
    </form>
  );
}

function RemoveDialog({ entry, incidentId: id, onDone }: DoingProps) {
  const { t } = useTranslation("incidents");
  const act = useIncidentAct();
  const focusBack = useFocusBack();
  return (
    <ConfirmDialog
      title={t(`remove.${entry.kind}`)}
      text={t("remove.text")}
      submitLabel={t("action.delete")}
      busy={act.isPending}
      error={act.error}
      onLeft={focusBack}
      onConfirm={() => act.mutate({ act: "remove", id, ...entry }, { onSuccess: onDone })}
      onCancel={onDone}
    />
  );
}
