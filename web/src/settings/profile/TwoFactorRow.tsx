import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type TwoFactor, type TwoFactorSecret, twoFactorQuery } from "../../api/profile.ts";
import { Button } from "../../components/Button.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { Skeleton } from "../../components/Skeleton.tsx";
import { SettingRow } from "../SettingRow.tsx";
import { RecoveryCodesDialog } from "./RecoveryCodesDialog.tsx";
import { SetUpTwoFactorDialog } from "./SetUpTwoFactorDialog.tsx";
import { DisableTwoFactorDialog, RenewCodesDialog, StartTwoFactorDialog } from "./TwoFactorDialogs.tsx";

/** Below this many it is time for new ones. */
const fewCodes = 3;

/** The dialog that is open; it outlives the buttons that opened it, which go when two-factor sign-in is turned on or off. */
type Open =
  | { is: "set-up"; offered: TwoFactorSecret }
  | { is: "codes"; codes: readonly string[] }
  | { is: "start" | "renew" | "disable" }
  | null;

/** Two-factor sign-in: whether it is on, and the ways to turn it on and off. */
export function TwoFactorRow({ email }: { email: string }) {
  const { t } = useTranslation("settings/profile");
  const query = useQuery(twoFactorQuery);
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const showCodes = (codes: string[]) => setOpen({ is: "codes", codes });
  return (
    <>
      <Loaded
        of={query}
        failed={t("twoFactor.failed")}
        loading={<SettingRow title={t("twoFactor.title")} text={<Skeleton className="my-1 h-3 w-48" />} />}
      >
        {(state) => <State {...state} onOpen={setOpen} />}
      </Loaded>
      {open?.is === "start" && (
        <StartTwoFactorDialog
          email={email}
          onOffered={(offered) => setOpen({ is: "set-up", offered })}
          onClose={close}
        />
      )}
      {open?.is === "set-up" && (
        <SetUpTwoFactorDialog offered={open.offered} onConfirmed={showCodes} onClose={close} />
      )}
      {open?.is === "codes" && <RecoveryCodesDialog codes={open.codes} email={email} onClose={close} />}
      {open?.is === "renew" && <RenewCodesDialog email={email} onCodes={showCodes} onClose={close} />}
      {open?.is === "disable" && <DisableTwoFactorDialog email={email} onClose={close} />}
    </>
  );
}

function State({ enabled, recoveryCodesLeft, onOpen }: TwoFactor & { onOpen: (open: Open) => void }) {
  const { t } = useTranslation("settings/profile");
  if (!enabled) {
    return (
      <SettingRow title={t("twoFactor.title")} text={t("twoFactor.off")}>
        <Button variant="quiet" data-opens="two-factor" onClick={() => onOpen({ is: "start" })}>
          {t("twoFactor.setUp")}
        </Button>
      </SettingRow>
    );
  }
  const isLow = recoveryCodesLeft <= fewCodes;
  const left = (
    <span className={isLow ? "text-warn-ink" : ""}>
      {t("twoFactor.codesLeft", { count: recoveryCodesLeft })}
    </span>
  );
  return (
    <SettingRow
      title={t("twoFactor.title")}
      text={
        <>
          {t("twoFactor.on")} {left}
        </>
      }
    >
      <Button variant="quiet" data-opens="recovery-codes" onClick={() => onOpen({ is: "renew" })}>
        {t("twoFactor.renew")}
      </Button>
      <Button variant="quiet" data-opens="two-factor" onClick={() => onOpen({ is: "disable" })}>
        {t("twoFactor.turnOff")}
      </Button>
    </SettingRow>
  );
}
