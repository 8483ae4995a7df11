import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/Button.tsx";
import { CopyButton } from "../../components/CopyButton.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { saveFile } from "../../components/save-file.ts";
import { focusTwoFactor } from "./focus.ts";

interface RecoveryCodesDialogProps {
  codes: readonly string[];
  email: string;
  onClose: () => void;
}

/** New recovery codes, this once. */
export function RecoveryCodesDialog({ codes, email, onClose }: RecoveryCodesDialogProps) {
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
