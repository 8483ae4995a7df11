import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { type FormEvent, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { encode } from "uqr";
import {
  type TwoFactor,
  type TwoFactorSecret,
  twoFactorQuery,
  useConfirmTwoFactor,
  useDisableTwoFactor,
  useRenewRecoveryCodes,
  useStartTwoFactor,
} from "../../api/profile.ts";
import { Button } from "../../components/Button.tsx";
import { FailureCallout } from "../../components/Callout.tsx";
import { CopyButton } from "../../components/CopyButton.tsx";
import { Dialog, DialogButtons, focusedAtFirst } from "../../components/Dialog.tsx";
import { Field } from "../../components/Field.tsx";
import { Loaded, Skeleton } from "../../components/Loaded.tsx";
import { saveFile } from "../../components/save-file.ts";
import { sendWhenWhole, textOf, useFormErrors } from "../../components/use-form-errors.ts";
import { showToast } from "../../toasts.ts";
import { SettingRow } from "../SettingRow.tsx";
import { focusRecoveryCodes, focusTwoFactor, PasswordDialog } from "./PasswordDialog.tsx";

/** Below this many it is time for new ones. */
const fewCodes = 3;

/** The dialog that is open; it outlives the buttons that opened it, which go when two-factor sign-in is turned on or off. */
type Open =
  | { is: "set-up"; offered: TwoFactorSecret }
  | { is: "codes"; codes: readonly string[] }
  | { is: "start" | "renew" | "disable" }
  | null;

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

interface RecoveryCodesDialogProps {
  codes: readonly string[];
  email: string;
  onClose: () => void;
}

/** New recovery codes, this once. */
function RecoveryCodesDialog({ codes, email, onClose }: RecoveryCodesDialogProps) {
  const { t } = useTranslation("settings/profile");
  const text = codes.join("\n");
  const download = () =>
    saveFile(
      "vedette-recovery-codes.txt",
      new Blob([`${t("codes.file", { email, host: location.host })}\n\n${text}\n`], { type: "text/plain" }),
    );
  return (
    <Dialog title={t("codes.title")} text={t("codes.text")} onLeft={focusTwoFactor} onClose={onClose}>
      <ul
        aria-label={t("codes.title")}
        className="mt-4 grid justify-center gap-x-4 gap-y-1 rounded-md border border-line bg-page px-2 py-2.5 font-mono text-xs leading-5 whitespace-nowrap select-all sm:grid-cols-[auto_auto]"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <CopyButton variant="quiet" value={text} />
        <Button variant="quiet" onClick={download}>
          <Download aria-hidden className="size-4" />
          {t("codes.download")}
        </Button>
        <Button onClick={onClose}>{t("codes.done")}</Button>
      </div>
    </Dialog>
  );
}

interface SetUpTwoFactorDialogProps {
  offered: TwoFactorSecret;
  onConfirmed: (recoveryCodes: string[]) => void;
  onClose: () => void;
}

/** The secret for the authenticator app, and the first code that the app makes of it. */
function SetUpTwoFactorDialog({ offered, onConfirmed, onClose }: SetUpTwoFactorDialogProps) {
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
        <FailureCallout of={failure} />
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

/** A text as a QR code, drawn here, so that it is sent to no one. Dark on light in both themes, as cameras need it. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => draw(text), [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-44 rounded-md border border-line bg-surface text-ink [color-scheme:light]"
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}

function draw(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: "M", border: 4 });
  return { size, path: pathOf(data) };
}

/** The modules of a QR code as the path of an SVG, one unit each: a rectangle for each run of dark ones in a row. */
export function pathOf(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((row, y) => {
      const runs: string[] = [];
      for (let x = 0; x < row.length; x += 1) {
        const start = x;
        while (row[x]) x += 1;
        if (x > start) runs.push(`M${start} ${y}h${x - start}v1h${start - x}z`);
      }
      return runs;
    })
    .join("");
}

interface StartTwoFactorDialogProps {
  email: string;
  onOffered: (offered: TwoFactorSecret) => void;
  onClose: () => void;
}

/** Requires the password before a secret is shown: an unattended browser must not let others lock its owner out. */
function StartTwoFactorDialog({ email, onOffered, onClose }: StartTwoFactorDialogProps) {
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

function RenewCodesDialog({ email, onCodes, onClose }: RenewCodesDialogProps) {
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

function DisableTwoFactorDialog({ email, onClose }: { email: string; onClose: () => void }) {
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
