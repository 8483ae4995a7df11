import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { KIND_TRAITS, SUBSCRIBER_KINDS } from "../../../../server/src/page/subscriber/kinds.ts";
import type { StatusPage } from "../../api/status-pages.ts";
import { type Subscriber, useAddSubscriber } from "../../api/subscribers.ts";
import { Button } from "../../components/Button.tsx";
import { CopyDialog } from "../../components/CopyDialog.tsx";
import { Dialog, DialogButtons } from "../../components/Dialog.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { Field } from "../../components/Field.tsx";
import { useFocusBack } from "../../components/use-focus-back.ts";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { LabelledSelect } from "../../forms/LabelledSelect.tsx";
import { showToast } from "../../toasts.ts";
import { CannotTell } from "./CannotTell.tsx";
import { usualHearing, WhatTheyHear } from "./WhatTheyHear.tsx";

/** What a phone's keyboard is made for. */
const inputModes = { mailbox: "email", url: "url" } as const;

/** Adds a subscriber; of a webhook, the secret is shown this once. */
export function AddSubscriberDialog({ page, onClose }: { page: StatusPage; onClose: () => void }) {
  const { t } = useTranslation("status-pages/editor");
  const add = useAddSubscriber(page.id);
  const focusBack = useFocusBack();
  const { form, fields, failure } = useFormErrors(add.error, ["address", "agreed"]);
  const [kind, setKind] = useState<Subscriber["kind"]>("email");
  const { asksFirst, address: typed } = KIND_TRAITS[kind];
  const [address, setAddress] = useState("");
  const [hearing, setHearing] = useState(() => usualHearing(page));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(
      { kind, address, ...hearing },
      {
        onSuccess: (added) => {
          const asked = page.url === null ? "askedLater" : "asked";
          showToast("success", t(`subscribers.${added.state === "waiting" ? asked : "added"}`));
          if (added.secret === null) onClose();
        },
      },
    );
  };
  if (typeof add.data?.secret === "string") {
    return (
      <CopyDialog
        title={t("subscribers.secret")}
        text={t("subscribers.secretText")}
        value={add.data.secret}
        doneLabel={t("subscribers.done")}
        onLeft={focusBack}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog
      title={t("subscribers.addTitle")}
      text={t(asksFirst && !hearing.agreed ? "subscribers.addText" : "subscribers.addTextOthers")}
      onLeft={focusBack}
      onClose={onClose}
    >
      <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-5">
        <CannotTell page={page} />
        <FailureNotice of={failure} />
        <LabelledSelect
          label={t("subscribers.kindLabel")}
          value={kind}
          options={SUBSCRIBER_KINDS.map((one) => [one, t(`subscribers.kind.${one}`)])}
          onChange={(next) => setKind(next as Subscriber["kind"])}
        />
        <Field
          label={t(`subscribers.typed.${typed}`)}
          value={address}
          errors={fields["address"]}
          inputMode={inputModes[typed]}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setAddress(target.value)}
        />
        <WhatTheyHear page={page} hearing={hearing} errors={fields} onChange={setHearing} />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" busy={add.isPending}>
            {t("subscribers.addSubmit")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
