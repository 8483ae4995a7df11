import { useNavigate } from "@tanstack/react-router";
import { Pause, Pencil, Play, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Monitor } from "../../../api/monitor-list.ts";
import { useSetEnabled } from "../../../api/monitors.ts";
import { Button } from "../../../components/Button.tsx";
import { ButtonLink } from "../../../components/ButtonLink.tsx";
import { useKind } from "../../../kinds/use-kind.ts";
import { DeleteMonitorDialog } from "../DeleteMonitorDialog.tsx";

/** Pause or resume, edit, delete. */
export function MonitorActions({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation("monitor");
  const navigate = useNavigate();
  const kind = useKind();
  const [deleting, setDeleting] = useState(false);
  const { mutate: setEnabled } = useSetEnabled(kind);
  const { id, enabled } = monitor;
  const toggle = () => setEnabled({ id, enabled: !enabled });
  const Icon = enabled ? Pause : Play;
  return (
    <>
      {/* A phone's bar has room for the icons alone: of buttons, not of the dialog. */}
      <div className="flex gap-2 max-sm:gap-1 max-sm:[&_svg]:mx-0 max-sm:[&>*]:w-9 max-sm:[&>*]:px-0">
        <Button variant="quiet" onClick={toggle}>
          <Icon aria-hidden className="-ml-0.5 size-4 text-ink-faint" />
          <span className="max-sm:sr-only">{t(enabled ? "action.pause" : "action.resume")}</span>
        </Button>
        <ButtonLink to={kind.pages.edit} params={{ id: String(id) }}>
          <Pencil aria-hidden className="-ml-0.5 size-4 text-ink-faint" />
          <span className="max-sm:sr-only">{t("action.edit")}</span>
        </ButtonLink>
        <Button variant="quiet" data-monitor-menu={id} onClick={() => setDeleting(true)}>
          <Trash2 aria-hidden className="-ml-0.5 size-4 text-ink-faint" />
          <span className="max-sm:sr-only">{t("action.delete")}</span>
        </Button>
      </div>
      {deleting && (
        <DeleteMonitorDialog
          monitor={monitor}
          onDone={() => setDeleting(false)}
          onDeleted={() => void navigate({ to: kind.pages.list })}
        />
      )}
    </>
  );
}
