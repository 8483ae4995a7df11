import { useNavigate } from "@tanstack/react-router";
import { KeyRound, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Monitor } from "../../api/monitor-list.ts";
import { Button } from "../../components/Button.tsx";
import { monitorKinds } from "../../kinds.ts";
import { ActButtons } from "../detail/MonitorActions.tsx";
import { DeleteDeviceDialog } from "./DeleteDeviceDialog.tsx";
import { NewTokenDialog } from "./NewTokenDialog.tsx";

/** Mute or unmute, pause or resume, edit, a new token, delete. */
export function DeviceActions({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation(["monitors/device", "monitors"]);
  const [open, setOpen] = useState<"token" | "delete" | null>(null);
  const navigate = useNavigate();
  const close = () => setOpen(null);
  return (
    <>
      <ActButtons monitor={monitor}>
        <Button variant="quiet" onClick={() => setOpen("token")}>
          <KeyRound aria-hidden className="-ml-0.5 size-4 text-ink-faint" />
          <span className="max-sm:sr-only">{t("page.token")}</span>
        </Button>
        <Button variant="quiet" onClick={() => setOpen("delete")}>
          <Trash2 aria-hidden className="-ml-0.5 size-4 text-ink-faint" />
          <span className="max-sm:sr-only">{t("monitors:action.delete")}</span>
        </Button>
      </ActButtons>
      {open === "token" && <NewTokenDialog device={monitor} onClose={close} />}
      {open === "delete" && (
        <DeleteDeviceDialog
          device={monitor}
          onClose={close}
          onDeleted={() => void navigate({ to: monitorKinds.device.pages.list })}
        />
      )}
    </>
  );
}
