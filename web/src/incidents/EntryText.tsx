import { Ellipsis, Pencil, Trash2 } from "lucide-react";
import { type ComponentProps, type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PageChoice } from "../api/incident-pages.ts";
import { type LogEntry, useIncidentAct } from "../api/incidents.ts";
import { Button, IconButton } from "../components/Button.tsx";
import { FailureCallout } from "../components/Callout.tsx";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { DialogButtons } from "../components/Dialog.tsx";
import { TextArea } from "../components/Field.tsx";
import { useFocusBack } from "../components/focus.ts";
import { Menu, MenuItem } from "../components/Menu.tsx";
import { MarkdownText } from "../components/markdown/MarkdownText.tsx";
import { textOf, useFormErrors } from "../components/use-form-errors.ts";
import { PagesField, ShownOn } from "./PagesField.tsx";

interface EntryTextProps {
  entry: LogEntry;
  incidentId: number;
  text: string;
  /** Whether a person wrote it; of a generated sentence about an action, the choice of pages alone is theirs. */
  isWritten: boolean;
  canChange: boolean;
  /** As updates are. */
  isMarkdown?: boolean;
  /** Of what is shown on status pages. */
  shownOn?: ComponentProps<typeof ShownOn> | undefined;
}

/** What an entry of the timeline says; who may change it rewrites it in its place, or removes the entry. */
export function EntryText({ canChange, isMarkdown = false, ...entry }: EntryTextProps) {
  const { t } = useTranslation("incidents");
  const [doing, setDoing] = useState<"edit" | "remove">();
  if (doing === "edit") return <EntryForm {...entry} onDone={() => setDoing(undefined)} />;
  const corner = "absolute top-1.5 right-0";
  const trigger = (
    <IconButton label={t("timeline.menu")} className={corner}>
      <Ellipsis aria-hidden className="size-4" />
    </IconButton>
  );
  return (
    <>
      <div className="mt-0.5 text-pretty">
        {isMarkdown ? (
          <MarkdownText text={entry.text} asOnPages />
        ) : (
          <p className="wrap-anywhere whitespace-pre-line">{entry.text}</p>
        )}
      </div>
      {entry.shownOn && <ShownOn {...entry.shownOn} />}
      {canChange && !entry.isWritten && entry.shownOn && entry.shownOn.pages.length > 0 && (
        <IconButton label={t("timeline.pages")} className={corner} onClick={() => setDoing("edit")}>
          <Pencil aria-hidden className="size-4" />
        </IconButton>
      )}
      {canChange && entry.isWritten && (
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

/** Once: what is done in the form later keeps the focus. */
const focusAtFirst = (element: HTMLElement | null) => element?.focus();

type DoingProps = Omit<EntryTextProps, "canChange" | "isMarkdown"> & { onDone: () => void };

function EntryForm({ entry, incidentId: id, text, isWritten, shownOn, onDone }: DoingProps) {
  const { t } = useTranslation("incidents");
  const act = useIncidentAct();
  /** Undefined: unchanged. */
  const [choice, setChoice] = useState<PageChoice>();
  const { form, fields, failure } = useFormErrors(act.error, ["message", "content"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = isWritten && { text: textOf(new FormData(event.currentTarget), "text") };
    const pages = choice !== undefined && { pages: choice };
    if (!typed && !pages) return onDone();
    act.mutate({ act: "edit", id, ...entry, ...typed, ...pages }, { onSuccess: onDone });
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="mt-2 grid gap-3">
      <FailureCallout of={failure} />
      {isWritten ? (
        <TextArea
          ref={focusAtFirst}
          name="text"
          label={t("timeline.text")}
          hideLabel
          rows={3}
          defaultValue={text}
          errors={[...(fields.message ?? []), ...(fields.content ?? [])]}
          maxLength={10_000}
        />
      ) : (
        <p ref={focusAtFirst} tabIndex={-1} className="wrap-anywhere outline-none">
          {text}
        </p>
      )}
      {shownOn && (
        <PagesField
          pages={shownOn.pages}
          choice={choice === undefined ? shownOn.update.pages : choice}
          before={shownOn.update.pages}
          onChange={setChoice}
        />
      )}
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
