import { FileUp } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { MessageDescriptor } from "../../../../server/src/platform/i18n/message.ts";
import type { StatusPage } from "../../api/status-pages.ts";
import { type ImportedSubscribers, useImportSubscribers } from "../../api/subscribers.ts";
import { Button } from "../../components/Button.tsx";
import { FailureCallout } from "../../components/Callout.tsx";
import { Dialog, DialogButtons } from "../../components/Dialog.tsx";
import { TextArea } from "../../components/Field.tsx";
import { useFocusBack } from "../../components/focus.ts";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { translateMessage } from "../../i18n/i18n.ts";
import { CannotNotify } from "./EditorCallouts.tsx";
import { defaultChoices, SubscriptionFields } from "./SubscriptionFields.tsx";

/** Adds a list of e-mail addresses, and says what came of each line that was left out. */
export function ImportSubscribersDialog({ page, onClose }: { page: StatusPage; onClose: () => void }) {
  const { t } = useTranslation("status-pages/editor");
  const send = useImportSubscribers(page.id);
  const focusBack = useFocusBack();
  const chooser = useRef<HTMLInputElement>(null);
  const { form, fields, failure } = useFormErrors(send.error, ["content", "agreed"]);
  const [content, setContent] = useState("");
  const [choices, setChoices] = useState(() => defaultChoices(page));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate({ content, ...choices });
  };
  return (
    <Dialog
      title={t("subscribers.importTitle")}
      text={t(choices.agreed ? "subscribers.importTextAgreed" : "subscribers.importText")}
      onLeft={focusBack}
      onClose={onClose}
    >
      <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-4">
        <CannotNotify page={page} />
        <FailureCallout of={failure} />
        {send.data && <Outcome of={send.data} />}
        <TextArea
          label={t("subscribers.list")}
          hint={t("subscribers.listHint")}
          rows={6}
          value={content}
          errors={fields["content"]}
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ target }) => setContent(target.value)}
        />
        <input
          ref={chooser}
          type="file"
          hidden
          accept=".txt,.csv,text/*"
          onChange={({ target }) => {
            void target.files?.[0]?.text().then(setContent);
            target.value = "";
          }}
        />
        <Button variant="quiet" className="w-fit" onClick={() => chooser.current?.click()}>
          <FileUp aria-hidden className="-ml-0.5 size-4" />
          {t("subscribers.file")}
        </Button>
        <SubscriptionFields page={page} choices={choices} errors={fields} onChange={setChoices} />
        <DialogButtons cancelLabel={send.data && t("subscribers.done")} onCancel={onClose}>
          <Button type="submit" busy={send.isPending} disabled={content.trim() === ""}>
            {t("subscribers.importSubmit")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function Outcome({ of: { added, known, refused, problems } }: { of: ImportedSubscribers }) {
  const { t } = useTranslation("status-pages/editor");
  return (
    <div role="status" className="grid gap-2 text-sm">
      <p className="font-medium">
        {t("subscribers.imported", { count: added })} {t("subscribers.known", { count: known })}
      </p>
      {refused > 0 && (
        <>
          <p className="text-warn-ink">{t("subscribers.refused", { count: refused })}</p>
          <ul className="max-h-32 overflow-y-auto text-ink-muted">
            {problems.map(({ line, message, fact }) => (
              <li key={line}>
                {t("subscribers.line", {
                  line,
                  problem: translateMessage(message, fact as MessageDescriptor),
                })}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
