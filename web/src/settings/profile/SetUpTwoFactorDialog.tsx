import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { type TwoFactorSecret, useConfirmTwoFactor } from "../../api/profile.ts";
import { Button } from "../../components/Button.tsx";
import { CopyButton } from "../../components/CopyButton.tsx";
import { Dialog, DialogButtons, focusedAtFirst } from "../../components/Dialog.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { Field } from "../../components/Field.tsx";
import { sendWhenWhole, textOf } from "../../components/form-text.ts";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { focusTwoFactor } from "./focus.ts";
import { QrCode } from "./QrCode.tsx";

interface SetUpTwoFactorDialogProps {
  offered: TwoFactorSecret;
  onConfirmed: (recoveryCodes: string[]) => void;
  onClose: () => void;
}

/** The secret for the authenticator app, and the first code that the app makes of it. */
export function SetUpTwoFactorDialog({ offered, onConfirmed, onClose }: SetUpTwoFactorDialogProps) {
  const { t } = useTranslation("settings/profile");
  const confirmation = useConfirmTwoFactor();
  const { form, fields, failure } = useFormErrors(confirmation.error, ["code"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (confirmation.isPending) return;
    const code = textOf(new FormData(event.currentTarget), "code");
    confirmation.mutate({ code }, { onSuccess: onConfirmed });
  };
  return (
    <Dialog
      title={t("twoFactor.setUpTitle")}
      text={t("twoFactor.setUpText")}
      onLeft={focusTwoFactor}
      onClose={onClose}
    >
      <div className="mt-4 grid justify-items-center gap-3">
        <QrCode text={offered.uri} label={t("twoFactor.qrCode")} />
        <code className="text-center text-sm break-words select-all">{inFours(offered.secret)}</code>
        <div className="flex flex-wrap justify-center gap-2">
          <CopyButton variant="quiet" value={offered.secret} label={t("twoFactor.copySecret")} />
        </div>
      </div>
      <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-5">
        <FailureNotice of={failure} />
        <Field
          name="code"
          label={t("twoFactor.code")}
          hint={t("twoFactor.codeHint")}
          errors={fields.code}
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={8}
          className="tracking-[0.2em] tabular-nums"
          onChange={sendWhenWhole}
          ref={focusedAtFirst}
        />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" busy={confirmation.isPending}>
            {t("twoFactor.turnOn")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** As authenticator apps show secrets: "JBSW Y3DP EHPK". */
const inFours = (secret: string): string => secret.replaceAll(/.{4}(?=.)/g, "$& ");
