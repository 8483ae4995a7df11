import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { CircleCheck, LoaderCircle } from "lucide-react";
import { useTranslation } from "react-i18next";
import { awaitedQuery, type DeviceDetail } from "../../api/devices.ts";
import { Button } from "../../components/Button.tsx";
import { CopyableText, CopyButton } from "../../components/CopyButton.tsx";
import { focusedAtFirst } from "../../components/Dialog.tsx";
import { focusPage } from "../../components/focus.ts";
import { monitorKinds } from "../../kinds.ts";
import { apiPaths } from "../../paths.ts";

/** The command with which a device's agent is installed, to be copied: its token is shown this once. */
export function CommandText({ option, token }: { option: "token" | "enroll"; token: string }) {
  const { t } = useTranslation("monitors/device");
  const command = installCommand(option, token);
  return (
    <>
      <p className="mt-1.5 mb-3 text-pretty text-ink-muted">
        {t(option === "token" ? "enrol.command" : "enrol.manyCommand")}
      </p>
      <CopyableText>{command}</CopyableText>
      <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
        <CopyButton ref={focusedAtFirst} variant="quiet" value={command} label={t("enrol.copy")} />
        <p className="min-w-0 flex-1 text-xs text-pretty text-ink-faint">{t("enrol.lines")}</p>
      </div>
    </>
  );
}

interface DeviceCommandProps {
  device: Pick<DeviceDetail, "id" | "name">;
  token: string;
  onClose: () => void;
}

/** The command, and whether the machine has reported since. */
export function DeviceCommand({ device: { id, name }, token, onClose }: DeviceCommandProps) {
  const { t } = useTranslation("monitors/device");
  const navigate = useNavigate();
  const { pages } = monitorKinds.device;
  const { data } = useQuery(awaitedQuery(id));
  const isOnline = (data as DeviceDetail | undefined)?.isOnline === true;
  const open = () => void navigate({ to: pages.one, params: { id: String(id) } }).then(focusPage);
  return (
    <>
      <CommandText option="token" token={token} />
      <p
        role="status"
        data-online={isOnline}
        className={`mt-5 flex min-w-0 items-center gap-2 rounded-md bg-hover px-3 py-2.5 text-sm ${isOnline ? "font-medium text-up-ink" : "text-ink-muted"}`}
      >
        {isOnline ? (
          <CircleCheck aria-hidden className="size-4 shrink-0" />
        ) : (
          <LoaderCircle aria-hidden className="size-4 shrink-0 animate-spin" />
        )}
        <span className="min-w-0 wrap-anywhere">
          {isOnline ? t("enrol.online", { name }) : t("enrol.waiting")}
        </span>
      </p>
      <div className="mt-5 flex justify-end gap-2">
        <Button variant="quiet" onClick={onClose}>
          {t("enrol.done")}
        </Button>
        <Button onClick={open}>{t("enrol.open")}</Button>
      </div>
    </>
  );
}

/** What is pasted on a machine: as the device whose token it is, or, with an enrollment token, as a new one. */
const installCommand = (option: "token" | "enroll", token: string): string =>
  `curl -fsSL ${window.location.origin}${apiPaths.installScript} | sudo sh -s -- --${option} ${token}`;
