import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useCreateDevice } from "../../api/devices.ts";
import { Button } from "../../components/Button.tsx";
import { Dialog, DialogButtons, focusedAtFirst } from "../../components/Dialog.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { Field } from "../../components/Field.tsx";
import { focusPage } from "../../components/focus-page.ts";
import { textOf } from "../../components/form-text.ts";
import { RangePicker } from "../../components/RangePicker.tsx";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { DeviceCommand } from "./DeviceCommand.tsx";
import { EnrollmentTokens } from "./EnrollmentTokens.tsx";

const ways = ["one", "many"] as const;
type Way = (typeof ways)[number];

/** Adds a device, or many: each ends with the command for the machine. */
export function AddDeviceDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("monitors/device");
  const [way, setWay] = useState<Way>("one");
  const creation = useCreateDevice();
  const created = creation.data;
  return (
    <Dialog
      title={t(created ? "enrol.commandTitle" : "enrol.title")}
      onLeft={focusAddLink}
      onClose={onClose}
      isWide
    >
      {created ? (
        <DeviceCommand device={created.device} token={created.token} onClose={onClose} />
      ) : (
        <>
          <div className="mt-4 w-max">
            <RangePicker
              label={t("enrol.how")}
              options={ways}
              value={way}
              textOf={(one) => ({ short: t(`enrol.${one}`), long: t(`enrol.${one}`) })}
              onPick={setWay}
            />
          </div>
          {way === "one" ? (
            <NameForm creation={creation} onClose={onClose} />
          ) : (
            <EnrollmentTokens onClose={onClose} />
          )}
        </>
      )}
    </Dialog>
  );
}

/** The link that leads here, where it still stands. */
const focusAddLink = () => {
  const link = document.querySelector<HTMLElement>("[data-add-device]");
  if (link) link.focus();
  else focusPage();
};

interface NameFormProps {
  creation: ReturnType<typeof useCreateDevice>;
  onClose: () => void;
}

function NameForm({ creation, onClose }: NameFormProps) {
  const { t } = useTranslation("monitors/device");
  const { form, fields, failure } = useFormErrors(creation.error, ["name"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    creation.mutate({ name: textOf(new FormData(event.currentTarget), "name") });
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-5">
      <FailureNotice of={failure} />
      <Field
        ref={focusedAtFirst}
        name="name"
        label={t("enrol.name")}
        hint={t("enrol.nameHint")}
        errors={fields["name"]}
        autoComplete="off"
      />
      <DialogButtons onCancel={onClose}>
        <Button type="submit" busy={creation.isPending}>
          {t("enrol.create")}
        </Button>
      </DialogButtons>
    </form>
  );
}
