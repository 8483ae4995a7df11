import { useTranslation } from "react-i18next";
import { useNewToken } from "../../api/devices.ts";
import type { Monitor } from "../../api/monitor-list.ts";
import { Button } from "../../components/Button.tsx";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { useFocusBack } from "../../components/use-focus-back.ts";
import { CommandText } from "./DeviceCommand.tsx";

interface NewTokenDialogProps {
  device: Pick<Monitor, "id" | "name">;
  onClose: () => void;
}

/** Asks, as the old token ends at once; then the command with the new one. */
export function NewTokenDialog({ device: { id, name }, onClose }: NewTokenDialogProps) {
  const { t } = useTranslation("monitors/device");
  const renewal = useNewToken(id);
  const onLeft = useFocusBack();
  if (renewal.data === undefined) {
    return (
      <ConfirmDialog
        title={t("newToken.title", { name })}
        text={t("newToken.text")}
        submitLabel={t("newToken.submit")}
        busy={renewal.isPending}
        error={renewal.error}
        onConfirm={() => renewal.mutate()}
        onCancel={onClose}
        onLeft={onLeft}
      />
    );
  }
  return (
    <Dialog title={t("newToken.doneTitle", { name })} onLeft={onLeft} onClose={onClose} isWide>
      <CommandText option="token" token={renewal.data} />
      <div className="mt-6 flex justify-end">
        <Button onClick={onClose}>{t("enrol.done")}</Button>
      </div>
    </Dialog>
  );
}
