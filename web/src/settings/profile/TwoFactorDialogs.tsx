import { useTranslation } from "react-i18next";
import {
  type TwoFactorSecret,
  useDisableTwoFactor,
  useRenewRecoveryCodes,
  useStartTwoFactor,
} from "../../api/profile.ts";
import { showToast } from "../../toasts.ts";
import { focusRecoveryCodes, focusTwoFactor } from "./focus.ts";
import { PasswordDialog } from "./PasswordDialog.tsx";

interface StartTwoFactorDialogProps {
  email: string;
  onOffered: (offered: TwoFactorSecret) => void;
  onClose: () => void;
}

/** Asks for the password before a secret is shown: whoever found a signed-in browser must not shut its owner out. */
export function StartTwoFactorDialog({ email, onOffered, onClose }: StartTwoFactorDialogProps) {
  const { t } = useTranslation("settings/profile");
  const start = useStartTwoFactor();
  return (
    <PasswordDialog
      title={t("twoFactor.setUpTitle")}
      text={t("twoFactor.startText")}
      submitLabel={t("twoFactor.startSubmit")}
      email={email}
      busy={start.isPending}
      error={start.error}
      onSubmit={(password) => start.mutate({ password }, { onSuccess: onOffered })}
      onLeft={focusTwoFactor}
      onClose={onClose}
    />
  );
}

interface RenewCodesDialogProps {
  email: string;
  onCodes: (codes: string[]) => void;
  onClose: () => void;
}

/** New recovery codes in the place of the old. */
export function RenewCodesDialog({ email, onCodes, onClose }: RenewCodesDialogProps) {
  const { t } = useTranslation("settings/profile");
  const renewal = useRenewRecoveryCodes();
  return (
    <PasswordDialog
      title={t("twoFactor.renew")}
      text={t("twoFactor.renewText")}
      submitLabel={t("twoFactor.renewSubmit")}
      email={email}
      busy={renewal.isPending}
      error={renewal.error}
      onSubmit={(password) => renewal.mutate({ password }, { onSuccess: onCodes })}
      onLeft={focusRecoveryCodes}
      onClose={onClose}
    />
  );
}

/** Sign-in with the password alone. */
export function DisableTwoFactorDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const { t } = useTranslation("settings/profile");
  const disabling = useDisableTwoFactor();
  const done = () => {
    showToast("success", t("twoFactor.turnedOff"));
    onClose();
  };
  return (
    <PasswordDialog
      title={t("twoFactor.turnOffTitle")}
      text={t("twoFactor.turnOffText")}
      submitLabel={t("twoFactor.turnOff")}
      danger
      email={email}
      busy={disabling.isPending}
      error={disabling.error}
      onSubmit={(password) => disabling.mutate({ password }, { onSuccess: done })}
      onLeft={focusTwoFactor}
      onClose={onClose}
    />
  );
}
